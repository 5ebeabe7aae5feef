import HTTP

/// The numbers of one kind that a chart shows.
package struct ChartSeries: Sendable {
    /// The series' name in the legend and at the columns: "this year", "New".
    let name: String
    /// From the oldest on; nil where nothing is known.
    let values: [Int64?]
    /// The number of its colour in a stack, one of six from 0; nil for that of its place.
    let colour: Int?
    /// The list that each value is the sum of, where there is one of its own.
    let hrefs: [String?]
    /// Returns the total of the values at some places; nil: their sum. A total that was rounded once is off by a little from the
    /// sum of values that were rounded for each period.
    private let sums: (@Sendable ([Int]) -> Int64?)?

    package init(
        _ name: String,
        _ values: [Int64?],
        sums: (@Sendable ([Int]) -> Int64?)? = nil,
        colour: Int? = nil,
        hrefs: [String?] = []
    ) {
        self.name = name
        self.values = values
        self.sums = sums
        self.colour = colour
        self.hrefs = hrefs
    }

    /// The value at a place; nil also where there is none.
    subscript(index: Int) -> Int64? {
        values.indices.contains(index) ? values[index] : nil
    }

    /// Returns the total of the values at some places; nil where none is known, and for a total that 64 bits do not hold.
    func sum(of places: [Int]) -> Int64? {
        let known = places.compactMap { self[$0] }
        guard !known.isEmpty else { return nil }
        return sums.map { $0(places) } ?? Int64(exactly: known.reduce(Int128.zero) { $0 + Int128($1) })
    }

    /// The last known value among some: where a line stands at the end of a month.
    func last(in range: Range<Int>) -> Int64? {
        range.reversed().lazy.compactMap { self[$0] }.first
    }
}
