/// The numbers of one kind that a chart shows.
package struct ChartSeries: Sendable, Hashable {
    /// What they are, as the legend and the columns call it: "this year", "New".
    let name: String
    /// From the oldest on; nil where nothing is known.
    let values: [Int64?]

    package init(_ name: String, _ values: [Int64?]) {
        self.name = name
        self.values = values
    }

    /// The value at a place; nil also where there is none.
    subscript(index: Int) -> Int64? {
        values.indices.contains(index) ? values[index] : nil
    }

    /// The last known value among some: where a line stands at the end of a month.
    func last(in range: Range<Int>) -> Int64? {
        range.reversed().lazy.compactMap { self[$0] }.first
    }
}
