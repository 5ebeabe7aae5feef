import Billing
import Foundation
package import HTTP
package import Storage

extension AuditFilter {
    /// Reads the list's state from a URL or form. An unreadable value falls away; only a cursor that is not ours is an
    /// error.
    package init(_ query: inout QueryReader) throws(InvalidCursor) {
        self.init()
        func value(_ name: String) -> String {
            String((query.text(name) ?? "").prefix(200)).trimmingCharacters(in: .whitespaces)
        }
        (actor, action) = (value("actor"), value("action"))
        (objectType, objectID, app) = (value("type"), value("object"), value("app"))
        (from, to) = (query.day("from"), query.day("to"))
        position = try query.position(of: .auditWritten)
        columns = query.columns(of: .audit)
    }

    /// The fields of the address or of a form, defaults left out.
    package var fields: [(name: String, value: String)] {
        [
            ("actor", actor), ("action", action), ("type", objectType), ("object", objectID), ("app", app),
            ("from", from?.description ?? ""), ("to", to?.description ?? ""),
        ].filter { !$0.1.isEmpty }
    }

    /// The address of this state of the list.
    package var path: String { DashboardPath.audit + queryText(withPosition: true).text }

    /// The filter, as a saved view has it.
    func queryText(withPosition: Bool) -> QueryText {
        var query = QueryText()
        for (name, value) in fields { query.add(name, value) }
        if withPosition { query.add(columns, position) }
        return query
    }
}
