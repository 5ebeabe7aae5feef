import Billing
import Foundation
package import Storage

extension OrderFilter {
    /// Reads the list's state from a URL. Unknown values fall back to the defaults; only a cursor that is not ours is an
    /// error.
    package init(query: [(name: String, value: String)]) throws(InvalidCursor) {
        func value(_ name: String) -> String? { QueryText.value(of: name, in: query) }
        let search = (value("q") ?? "").trimmingCharacters(in: .whitespacesAndNewlines).filter { $0 != "\0" }
            .precomposedStringWithCanonicalMapping
            // What other languages' lower-casing makes of İ: an i with a second dot.
            .replacingOccurrences(of: "i\u{307}", with: "i", options: .literal)
        self.init(
            status: value("status").flatMap(OrderStatus.init(rawValue:)),
            search: String(search.prefix(Self.longestSearch)),
            customer: value("customer").flatMap { Customer.ID($0) },
            sort: value("sort").flatMap(Sort.init(rawValue:)) ?? .created,
            direction: value("dir").flatMap(SortDirection.init(rawValue:)) ?? .descending
        )
        position = try QueryText.position(in: query, kind: sort.cursorKind)
    }

    /// The address of this state of the list; defaults are left out.
    package var path: String {
        var query = QueryText()
        query.add("q", search)
        query.add("status", status?.rawValue)
        query.add("customer", customer?.description)
        query.add("sort", sort == .created ? nil : sort.rawValue)
        query.add("dir", direction == .descending ? nil : direction.rawValue)
        query.add(position)
        return DashboardPath.orders + query.text
    }

    /// This list from its first page, changed: whatever is filtered or sorted anew applies to the whole of it.
    func changed(_ change: (inout OrderFilter) -> Void) -> OrderFilter {
        var copy = firstPage
        change(&copy)
        return copy
    }

    /// Longer than any id, name or address.
    private static let longestSearch = 200
}
