import Postgres

extension Query {
    /// Rows or terms one after the other, with commas between them.
    static func list(_ parts: [Query]) -> Query {
        parts.dropFirst().reduce(parts.first ?? "") { "\($0), \($1)" }
    }
}
