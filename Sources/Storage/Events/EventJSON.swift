import Billing

/// Store events as the JSON that the database keeps. Dates are milliseconds since 1970, exact as the stores give them.
enum EventJSON {
    /// A member is missing that every event has.
    struct Incomplete: Error {}

    /// Empty for no event.
    static func text(of event: StoreEvent?) -> String {
        guard let event else { return "" }
        var json = JSONPrinter()
        event.write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// A list of them; empty for no event.
    static func text(of events: [StoreEvent]) -> String {
        events.isEmpty ? "" : "[\(events.map { text(of: $0) }.joined(separator: ","))]"
    }

    static func event(from text: String) throws -> StoreEvent {
        var json = JSONScanner(text)
        let event = try StoreEvent(from: &json)
        try json.end()
        return event
    }
}
