import HTTP

/// What somebody typed into a form, by the names of its fields.
typealias TypedFields = [String: String]

extension URLEncoded {
    /// What was typed, by field; empty for a page that is shown for the first time.
    var typed: TypedFields {
        Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
    }
}
