/// A whole cut into its parts, side by side.
package struct ShareBar: Sendable, Hashable {
    /// One part each, in the order given; of no width for zero.
    package let parts: [Box]

    /// Of the drawing, in units; it is stretched to the width it is given.
    package static let size = Canvas(width: 1_000, height: 14)

    /// - Parameter values: the counts of the parts; less than zero counts as zero.
    package init(_ values: [Int64]) {
        let values = values.map { Int128(max($0, 0)) }
        let whole = values.reduce(0, +)
        let visible = values.count { $0 > 0 }
        // Every value above zero can be seen; the rest is shared out in proportion.
        let least: Int128 = visible > 0 ? min(60, Int128(Self.size.width * 10 / visible)) : 0
        let room = Int128(Self.size.width * 10) - least * Int128(visible)
        var (sum, seen) = (Int128.zero, Int128.zero)
        func edge() -> Coordinate {
            Coordinate(tenths: whole == 0 ? 0 : Int(seen * least + sum * room / whole))
        }
        parts = values.map { value in
            let left = edge()
            sum += value
            seen += value > 0 ? 1 : 0
            return Box(left: left, top: 0, right: edge(), bottom: Coordinate(tenths: Self.size.height * 10))
        }
    }

    /// Returns the length of each value's own bar; the largest is as long as the drawing is wide.
    package static func lengths(of values: [Int64]) -> [Coordinate] {
        let most = Int128(max(values.max() ?? 0, 1))
        return values.map { value in
            let length = Int128(max(value, 0)) * Int128(size.width * 10) / most
            return Coordinate(tenths: value > 0 ? max(Int(length), 30) : 0)
        }
    }
}
