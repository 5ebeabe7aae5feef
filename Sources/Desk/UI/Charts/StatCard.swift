import Billing
import Charts
import HTTP
package import Words

/// One number at the top of a page, with how it came about: `{{> charts/card card}}`.
package struct StatCard: Sendable {
    let label: String
    let href: String
    /// "1,536"
    let value: String
    /// "CNY"
    let currency: String?
    let change: ChangeText?
    /// "than yesterday"
    let note: String
    /// nil where there are less than two values.
    let spark: SparkLine?

    /// - Parameter trend: the latest values, from the oldest on; they are drawn without an axis.
    package init(
        _ label: String,
        value: Int64,
        unit: ChartUnit,
        href: String,
        change: ChangeText? = nil,
        note: String = "",
        trend: [Int64] = [],
        _ strings: Strings
    ) {
        self.label = label
        self.href = href
        self.value = unit.number(value, strings)
        currency = if case .money(let currency) = unit { currency.code } else { nil }
        self.change = change
        self.note = note
        spark = SparkLine(trend)
    }
}

/// A small line that says whether something goes up or down.
struct SparkLine: Sendable {
    let line: String
    let area: String

    init?(_ values: [Int64]) {
        let spark = Spark(values)
        guard !spark.line.isEmpty else { return nil }
        (line, area) = (spark.line, spark.area)
    }
}
