import Billing
import Foundation
package import HTTP
package import Storage

extension SubscriptionFilter {
    /// The spans of "renews within" and "ends within", in days.
    static let spans = [1, 7, 30, 90]

    /// Reads the list's state from a URL. An unreadable value falls back to its default; only a cursor that is not ours is an
    /// error.
    package init(_ query: inout QueryReader) throws(InvalidCursor) {
        self.init(
            search: SearchInput.text(query.text("q")),
            state: query.choice("state", Subscription.State.self),
            plan: query.value("plan") { $0.utf8.count > 100 ? nil : $0 },
            store: query.store("store"),
            environment: query.value("environment", StoreEnvironment.init(name:)),
            customer: query.value("customer") { Customer.ID($0) },
            renewsWithin: query.value("renews") { text in Self.spans.first { String($0) == text } },
            endsWithin: query.value("ends") { text in Self.spans.first { String($0) == text } },
            sort: query.choice("sort", Sort.self) ?? .started,
            direction: query.choice("dir", SortDirection.self) ?? .descending
        )
        position = try query.position(of: sort.cursorKind)
        columns = query.columns(of: .subscriptions)
    }

    /// The address of this state of the list; defaults are left out.
    package var path: String { DashboardPath.subscriptions + queryText(withPosition: true).text }

    /// The filters and the order, as a saved view or an export has them.
    func queryText(withPosition: Bool) -> QueryText {
        var query = QueryText()
        query.add("q", search)
        query.add("state", state?.rawValue)
        query.add("plan", plan)
        query.add("store", store?.rawValue)
        query.add("environment", environment?.name)
        query.add("customer", customer?.description)
        query.add("renews", renewsWithin.map { String($0) })
        query.add("ends", endsWithin.map { String($0) })
        query.add("sort", sort == .started ? nil : sort.rawValue)
        query.add("dir", direction == .descending ? nil : direction.rawValue)
        if withPosition { query.add(columns, position) }
        return query
    }
}
