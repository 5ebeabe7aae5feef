import HTTP

/// The heading of a chart: its title, what is to be seen in it, and the definition of its numbers.
package struct ChartHeading: Sendable, Hashable {
    /// Unlike every other on the page; ids of the chart's parts begin with it.
    let id: String
    /// With its currency: "Net revenue by month, CNY".
    let title: String
    /// "Jan–Nov 2026 is 14.1% above the same months of 2025. Highest: November."
    let finding: String
    /// The definition of the numbers, in whole sentences: "Net of refunds by refund date, UTC+8."
    let definition: String
    /// The version of the definition: "2".
    let version: String
    /// The page that says more about it.
    let definitionHref: String?

    package init(
        id: String,
        title: String,
        finding: String,
        definition: String,
        version: String,
        definitionHref: String? = nil
    ) {
        self.id = id
        self.title = title
        self.finding = finding
        self.definition = definition
        self.version = version
        self.definitionHref = definitionHref
    }
}

/// The options of a chart's drawing, where the defaults do not do.
package struct ChartOptions: Sendable, Hashable {
    var size: ChartSize
    /// The same numbers as a file.
    var csvHref: String?
    var annotations: [ChartAnnotation]
    /// The direction that is for the better.
    var meaning: ChangeText.Meaning
    /// True if the table ends with sums. A count at a moment, like the number of subscribers, has none.
    var isSummed: Bool

    package init(
        size: ChartSize = .wide,
        csvHref: String? = nil,
        annotations: [ChartAnnotation] = [],
        meaning: ChangeText.Meaning = .moreIsBetter,
        isSummed: Bool = true
    ) {
        self.size = size
        self.csvHref = csvHref
        self.annotations = annotations
        self.meaning = meaning
        self.isSummed = isSummed
    }
}

/// The width of a chart.
package enum ChartSize: Sendable, Hashable {
    /// Across a whole page.
    case wide
    /// Two side by side, in an element of class `pair`.
    case half
}

/// Something that happened, marked in the chart: "Price change 2026-06-15".
package struct ChartAnnotation: Sendable, Hashable {
    /// At which value of the series, from 0.
    let index: Int
    let text: String

    package init(at index: Int, _ text: String) {
        self.index = index
        self.text = text
    }
}
