/// A row of names under a plot, of which as many are written as have room.
package struct LabelRow: Sendable, Hashable {
    /// The ones that are written: the first and each so-manieth after it.
    package let shown: [Int]

    /// - Parameter middles: where each name has its middle, from left to right.
    package init(_ names: [String], at middles: [Coordinate]) {
        let widths = names.map(TextWidth.of)
        let count = min(names.count, middles.count)
        let step = (1...max(count, 1)).first { step in
            let indices = Array(stride(from: 0, to: count, by: step))
            return zip(indices, indices.dropFirst()).allSatisfy { left, right in
                middles[right] - middles[left] >= (widths[left] + widths[right]) / 2 + LabelRow.gap
            }
        }
        shown = Array(stride(from: 0, to: count, by: step ?? 1))
    }

    private static let gap: Coordinate = 6
}
