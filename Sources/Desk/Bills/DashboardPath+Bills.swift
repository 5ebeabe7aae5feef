import APITypes
import HTTP
import HTTPTypes
import Operations
package import Storage

extension DashboardPath {
    package static let bills = "/dashboard/bills"

    package static func bill(_ id: DailyBill.ID) -> String { "\(bills)/\(id)" }

    package static let billDifferences = "/dashboard/bill-differences"

    package static func notes(on difference: ListedBillDifference.ID) -> String {
        "\(billDifferences)/\(difference)/notes"
    }

    /// - Parameter closes: the page that asks before the difference is closed, and not only noted.
    package static func newNote(
        on difference: ListedBillDifference.ID,
        closes: Bool,
        from: String? = nil
    ) -> String {
        var query = QueryText()
        query.add("closes", closes ? "yes" : nil)
        query.add("from", from)
        return "\(notes(on: difference))/new\(query.text)"
    }
}
