/// A row of names under a plot, of which as many are written as have room.
package struct LabelRow: Sendable, Hashable {
    /// The ones that are written.
    package let shown: [Int]

    /// The first and each so-manieth after it.
    ///
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

    /// Of names of different lengths of time, such as years, as many as have room, the last before all others.
    package init(latestOf names: [String], at middles: [Coordinate]) {
        let widths = names.map(TextWidth.of)
        var shown: [Int] = []
        for index in (0..<min(names.count, middles.count)).reversed() {
            if let next = shown.last,
                middles[next] - middles[index] < (widths[index] + widths[next]) / 2 + LabelRow.gap
            {
                continue
            }
            shown.append(index)
        }
        self.shown = shown.reversed()
    }

    private static let gap: Coordinate = 6
}
