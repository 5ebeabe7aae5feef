import HTTP
import Storage
import Words

/// The heading of a page of a list.
struct ListHeading: Sendable {
    /// "1–25 of 1,284 orders, refunded"
    let title: String
    /// "1–25 of 1,284 · newest first", or that there is nothing.
    let range: String

    /// - Parameters:
    ///   - subject: the name of the listed things.
    ///   - filters: the list's filters, in words.
    ///   - none: the text without rows.
    ///   - order: the order of the rows in words; nil where that goes without saying.
    init<Row>(
        _ list: ListPage<Row>,
        of subject: String,
        filters: [String],
        none: StaticString,
        order: StaticString?,
        _ strings: Strings
    ) {
        let listed = strings.list([subject] + filters)
        guard !list.rows.isEmpty else {
            (title, range) = (listed, none.description)
            return
        }
        let shown = Phrase.range(list, strings)
        title = strings.partsTitled(range: shown, title: listed)
        range = [shown, order?.description].compactMap(\.self).joined(separator: " · ")
    }
}
