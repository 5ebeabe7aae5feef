import Billing
import Foundation
import Storage

/// The parameters of a question; each mistake is named, nothing is guessed.
struct ListParameters: Sendable {
    private let query: URLEncoded

    init(_ query: URLEncoded) {
        self.query = query
    }

    /// - Throws: `WebError` with `.invalid` for a parameter that `operation` does not take.
    func require(only operation: APIOperation) throws(WebError) {
        let names = Set(operation.query.map(\.name)).union([APIParameter.app.name])
        if let unknown = query.pairs.first(where: { !names.contains($0.name) }) {
            throw WebError(.invalid, "There is no such parameter.", field: String(unknown.name.prefix(100)))
        }
    }

    /// nil when nobody says.
    func value<Value>(_ parameter: QueryParameter<Value>) throws(WebError) -> Value? {
        guard let text = try query.single(parameter.description.name) else { return nil }
        return try parameter.read(text)
    }

    func position(of kind: PageCursor.Kind) throws(WebError) -> PagePosition {
        guard let text = try query.single(PageParameter().description.name) else { return .first }
        do {
            return .after(try PageCursor(text: text, kind: kind))
        } catch {
            throw WebError(.invalid, "This cursor is not one of ours for this order.", field: "after")
        }
    }
}
