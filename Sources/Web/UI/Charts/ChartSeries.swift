/// The numbers of one kind that a chart shows.
package struct ChartSeries: Sendable, Hashable {
    /// What they are, as the legend and the columns call it: "this year", "New".
    let name: String
    /// From the oldest on; nil where nothing is known.
    let values: [Int64?]
    /// Which of the six colours it has in a stack, from 0; nil: that of its place.
    let colour: Int?
    /// The list that each value is the sum of, where there is one of its own.
    let hrefs: [String?]

    package init(_ name: String, _ values: [Int64?], colour: Int? = nil, hrefs: [String?] = []) {
        self.name = name
        self.values = values
        self.colour = colour
        self.hrefs = hrefs
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
