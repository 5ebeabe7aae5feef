/// A triangle of shares as a table: a row per cohort, as many columns as the oldest has.
package struct HeatMap: Sendable, Hashable {
    /// For each row as many cells as there are columns; nothing where the cohort is not that old.
    package let rows: [[Cell?]]
    package let columns: Int
    /// From which percentage on a shade holds, from the lightest: even steps from the least of the shares to the most, so that what differs
    /// looks different, wherever the shares lie.
    package let bounds: [Int]

    /// One share.
    package struct Cell: Sendable, Hashable {
        /// The darkness, from 0 to 6; nil for a share of nothing.
        package let level: Int?
    }

    /// The part of a whole that is left.
    package struct Share: Sendable, Hashable {
        package let part: Int64
        package let whole: Int64

        package init(_ part: Int64, of whole: Int64) {
            self.part = part
            self.whole = whole
        }

        /// Whole percents from 0 to 100, rounded down; nil of nothing.
        var percent: Int? {
            whole > 0 ? min(100, max(0, Int(clamping: Int128(part) * 100 / Int128(whole)))) : nil
        }
    }

    /// - Parameter shares: for each cohort the shares of its first period, its second and so on.
    package init(_ shares: [[Share]]) {
        let columns = shares.map(\.count).max() ?? 0
        let bounds = Self.bounds(of: shares.joined().compactMap(\.percent))
        self.columns = columns
        self.bounds = bounds
        rows = shares.map { row in
            (0..<columns).map { $0 < row.count ? Cell(level: Self.level(of: row[$0], bounds)) : nil }
        }
    }

    private static let shades = 7

    private static func bounds(of percents: [Int]) -> [Int] {
        let (least, most) = (percents.min() ?? 0, percents.max() ?? 0)
        let steps = min(shades, most - least + 1)
        return (0..<steps).map { least + (most - least + 1) * $0 / steps }
    }

    private static func level(of share: Share, _ bounds: [Int]) -> Int? {
        guard share.whole > 0 else { return nil }
        let hundredfold = Int128(share.part) * 100
        return bounds.lastIndex { hundredfold >= Int128($0) * Int128(share.whole) } ?? 0
    }
}
