/// A triangle of shares as a table: a row per cohort, as many columns as the oldest has.
package struct HeatMap: Sendable, Hashable {
    /// For each row as many cells as there are columns; nothing where the cohort is not that old.
    package let rows: [[Cell?]]
    package let columns: Int

    /// One share.
    package struct Cell: Sendable, Hashable {
        /// How dark it is, from 0 to 6; nil for a share of nothing.
        package let level: Int?
    }

    /// What is left of a whole.
    package struct Share: Sendable, Hashable {
        package let part: Int64
        package let whole: Int64

        package init(_ part: Int64, of whole: Int64) {
            self.part = part
            self.whole = whole
        }
    }

    /// - Parameter shares: for each cohort the shares of its first period, its second and so on.
    package init(_ shares: [[Share]]) {
        let columns = shares.map(\.count).max() ?? 0
        self.columns = columns
        rows = shares.map { row in
            (0..<columns).map { $0 < row.count ? Cell(level: Self.level(of: row[$0])) : nil }
        }
    }

    /// From which percentage on a level holds: finer where most shares are.
    package static let bounds = [0, 10, 20, 30, 40, 60, 80]

    private static func level(of share: Share) -> Int? {
        guard share.whole > 0 else { return nil }
        let hundredfold = Int128(share.part) * 100
        return bounds.lastIndex { hundredfold >= Int128($0) * Int128(share.whole) } ?? 0
    }
}
