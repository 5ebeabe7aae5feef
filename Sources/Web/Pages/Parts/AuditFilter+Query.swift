import Billing
package import Foundation
package import Storage

extension AuditFilter {
    /// Reads the list's state from a URL or form. What cannot be read falls away; only a cursor that is not ours is an
    /// error.
    ///
    /// - Parameter zone: the days are those of the app's clock.
    package init(query: [(name: String, value: String)], zone: TimeZone) throws(InvalidCursor) {
        self.init()
        func value(_ name: String) -> String {
            let text = QueryText.value(of: name, in: query) ?? ""
            return String(text.prefix(200)).trimmingCharacters(in: .whitespaces)
        }
        (actor, action) = (value("actor"), value("action"))
        (objectType, objectID, app) = (value("type"), value("object"), value("app"))
        from = BusinessDay(value("from"))?.start(in: zone)
        until = BusinessDay(value("to")).map { day in
            // A day has less than 26 hours: this lies in the next one.
            BusinessDay(day.start(in: zone).addingTimeInterval(26 * 3600), in: zone).start(in: zone)
        }
        position = try QueryText.position(in: query, kind: .auditWritten)
    }

    /// What the address or a form says, defaults left out.
    package func fields(zone: TimeZone) -> [(name: String, value: String)] {
        let days = (
            from.map { BusinessDay($0, in: zone).description },
            until.map { BusinessDay($0.addingTimeInterval(-1), in: zone).description }
        )
        return [
            ("actor", actor), ("action", action), ("type", objectType), ("object", objectID), ("app", app),
            ("from", days.0 ?? ""), ("to", days.1 ?? ""),
        ].filter { !$0.1.isEmpty }
    }

    /// The address of this state of the list.
    package func path(zone: TimeZone) -> String {
        var query = QueryText()
        for (name, value) in fields(zone: zone) { query.add(name, value) }
        query.add(position)
        return DashboardPath.audit + query.text
    }
}
