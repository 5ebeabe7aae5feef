import APITypes
import Billing
import Foundation
import Operations
package import Storage

/// The parameters of a question; each mistake is named, nothing is guessed.
package struct ListParameters: Sendable {
    private let query: URLEncoded

    package init(_ query: URLEncoded) {
        self.query = query
    }

    /// - Throws: `WebError` with `.invalid` for a parameter that `operation` does not take.
    package func require(only operation: APIOperation) throws(WebError) {
        let known = [APIParameter.app.name] + operation.query.map(\.name)
        var unknown: [String] = []
        for (name, _) in query.pairs where !known.contains(name) && !unknown.contains(name) { unknown.append(name) }
        guard !unknown.isEmpty else { return }
        var error = WebError(.invalid, "There is no such parameter.")
        error.fields = unknown.map { name in
            FieldProblem(String(name.prefix(100)), .unknownParameter(known: known))
        }
        throw error
    }

    /// nil when nobody says.
    package func value<Value>(_ parameter: QueryParameter<Value>) throws(WebError) -> Value? {
        guard let text = try query.single(parameter.description.name) else { return nil }
        return try parameter.read(text)
    }

    package func position(of kind: PageCursor.Kind) throws(WebError) -> PagePosition {
        guard let text = try query.single(PageParameter().description.name) else { return .first }
        do {
            return .after(try PageCursor(text: text, kind: kind))
        } catch {
            throw WebError(.invalid, "This cursor is not one of ours for this order.", field: "after")
        }
    }
}
