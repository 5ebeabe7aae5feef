package import Storage

/// The query of a URL, written in one order, so that one state of a list has one address.
package struct QueryText {
    package private(set) var text = ""

    package init() {}

    package mutating func add(_ name: String, _ value: String?) {
        guard let value, !value.isEmpty else { return }
        text += text.isEmpty ? "?" : "&"
        text += name
        text += "="
        text += DashboardPath.encoded(value)
    }

    package mutating func add(_ columns: ColumnChoice?, _ position: PagePosition) {
        add("columns", columns?.text)
        add(position)
    }

    package mutating func add(_ position: PagePosition) {
        switch position {
        case .first: break
        case .after(let cursor): add("after", cursor.text)
        case .before(let cursor): add("before", cursor.text)
        }
    }

    /// The last value of a name counts, as for a field that stands twice in a form; `after` goes before `before`.
    package static func position(
        in query: [(name: String, value: String)],
        kind: PageCursor.Kind
    ) throws(InvalidCursor) -> PagePosition {
        if let text = value(of: "after", in: query) { return .after(try PageCursor(text: text, kind: kind)) }
        if let text = value(of: "before", in: query) { return .before(try PageCursor(text: text, kind: kind)) }
        return .first
    }

    package static func value(of name: String, in query: [(name: String, value: String)]) -> String? {
        query.last { $0.name == name }?.value
    }
}
