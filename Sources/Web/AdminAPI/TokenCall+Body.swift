import Billing
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat
import Operations
import Storage

/// The JSON that a program sends to change something.
struct SentJSON<Value: Sendable>: Sendable {
    let value: Value
    /// As it came, for the fingerprint of its key.
    let text: String
}

extension TokenCall {
    /// The body, read as `Value`; an empty one is an object without fields.
    ///
    /// - Throws: `WebError`: `.unsupportedMediaType`, `.payloadTooLarge`, `.badRequest` for what is no JSON, `.invalid` for a
    ///   field of another type.
    func body<Value: Decodable & Sendable>(_ type: Value.Type) async throws -> SentJSON<Value> {
        guard request.mediaType.map({ $0 == "application/json" }) ?? true else {
            throw WebError(.unsupportedMediaType, "This address takes application/json.")
        }
        var body = try await request.collectBody(limit: BodyLimit.form)
        if body.readableBytes == 0 { body = ByteBuffer(string: "{}") }
        let text = String(buffer: body)
        do {
            return SentJSON(value: try JSONDecoder().decode(type, from: body), text: text)
        } catch let error as DecodingError {
            throw error.webError
        }
    }

    /// The `Idempotency-Key`, which everything that changes something needs.
    ///
    /// - Parameter text: everything that is asked besides the address.
    func key(for text: String) throws -> ActionKey {
        guard let key = request.headers[.idempotencyKey] else {
            throw WebError(.invalid, "Send an Idempotency-Key of your own making.", field: "Idempotency-Key")
        }
        return try ActionKey(key, of: token.id.uuid, for: [request.uri.path, app.description, text])
    }

    /// A part of the path, decoded.
    func parameter(_ name: String) throws -> String {
        try URLEncoded.decode(try context.parameters.require(name).utf8)
    }
}

extension DecodingError {
    /// Which field is not what it should be; no field where it is no JSON at all.
    fileprivate var webError: WebError {
        func invalid(_ context: Context, _ what: String) -> WebError {
            let field = context.codingPath.map(\.stringValue).joined(separator: ".")
            guard !field.isEmpty else { return WebError(.invalid, "The body is a JSON object.", underlying: self) }
            return WebError(.invalid, what, field: field, underlying: self)
        }
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return invalid(context, "This field has another type.")
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            return invalid(context, "This field cannot hold this.")
        case .keyNotFound(let key, _):
            return WebError(.invalid, "This field is missing.", field: key.stringValue, underlying: self)
        case .dataCorrupted: return WebError(.badRequest, "The body is not JSON.", underlying: self)
        @unknown default: return WebError(.badRequest, "The body is not JSON.", underlying: self)
        }
    }
}

extension HTTPField.Name {
    /// draft-ietf-httpapi-idempotency-key-header
    static var idempotencyKey: HTTPField.Name {
        guard let name = HTTPField.Name("Idempotency-Key") else { preconditionFailure("Idempotency-Key is no name") }
        return name
    }
}
