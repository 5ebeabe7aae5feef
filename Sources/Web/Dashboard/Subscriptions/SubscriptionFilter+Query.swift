import Billing
import Foundation
package import Storage

extension SubscriptionFilter {
    /// The spans of "renews within", in days.
    static let spans = [1, 7, 30, 90]

    /// Reads the list's state from a URL. Unknown values fall back to the defaults; only a cursor that is not ours is an
    /// error.
    package init(query: [(name: String, value: String)]) throws(InvalidCursor) {
        func value(_ name: String) -> String? { QueryText.value(of: name, in: query) }
        self.init(
            search: SearchInput.text(value("q")),
            state: value("state").flatMap(Subscription.State.init(rawValue:)),
            plan: value("plan").flatMap { $0.isEmpty || $0.utf8.count > 100 ? nil : $0 },
            store: value("store").flatMap(Store.init(rawValue:)),
            environment: value("environment").flatMap(StoreEnvironment.init(rawValue:)),
            customer: value("customer").flatMap { Customer.ID($0) },
            renewsWithin: value("renews").flatMap { Int($0) }.flatMap { Self.spans.contains($0) ? $0 : nil },
            sort: value("sort").flatMap(Sort.init(rawValue:)) ?? .started,
            direction: value("dir").flatMap(SortDirection.init(rawValue:)) ?? .descending
        )
        position = try QueryText.position(in: query, kind: sort.cursorKind)
        columns = ColumnChoice(in: query, of: .subscriptions)
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
        query.add("environment", environment?.rawValue)
        query.add("customer", customer?.description)
        query.add("renews", renewsWithin.map { String($0) })
        query.add("sort", sort == .started ? nil : sort.rawValue)
        query.add("dir", direction == .descending ? nil : direction.rawValue)
        if withPosition { query.add(columns, position) }
        return query
    }
}
