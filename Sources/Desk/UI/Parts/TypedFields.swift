import HTTP
import Operations

/// The texts that somebody typed into a form, by the names of its fields.
typealias TypedFields = [String: String]

extension URLEncoded {
    /// Of what a person saw when they filled in the form, as the form carries it.
    ///
    /// - Throws: `OperationsError` with `.invalid` and the field where it is missing: then nobody knows what was seen.
    var version: Int {
        get throws {
            guard let version = try single("version").flatMap({ Int($0) }) else {
                throw OperationsError(problems: [FieldProblem("version", .missing)])
            }
            return version
        }
    }

    /// The typed texts by field; empty for a page that is shown for the first time.
    var typed: TypedFields {
        Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
    }
}
