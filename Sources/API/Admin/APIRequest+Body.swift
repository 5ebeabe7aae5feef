import APITypes
import Billing
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat
import Operations
import Storage

/// The JSON body of a call that changes something.
struct SentJSON<Value: Sendable>: Sendable {
    let value: Value
    /// The body as it came, for the fingerprint of its idempotency key.
    let text: String
}

extension Request {
    /// Reads the body as `Value`; an empty one is an object without fields.
    ///
    /// - Throws: `WebError`: `.unsupportedMediaType`, `.payloadTooLarge`, `.badRequest` for a body that is no JSON in UTF-8 (RFC
    ///   8259,
    ///   8.1), `.invalid` for a field of another type, and for one that is there twice.
    func json<Value: Decodable & Sendable>(
        _ type: Value.Type,
        limit: Int = BodyLimit.form
    ) async throws -> SentJSON<Value> {
        guard mediaType.map({ $0 == "application/json" }) ?? true else {
            throw WebError(.unsupportedMediaType, "This address takes application/json.")
        }
        var body = try await collectBody(limit: limit)
        if body.readableBytes == 0 { body = ByteBuffer(string: "{}") }
        let text = try body.jsonText()
        do {
            let value = try JSONDecoder().decode(type, from: body)
            try SentMembers.requireNamesOnce(in: text)
            return SentJSON(value: value, text: text)
        } catch let error as DecodingError {
            throw error.webError(for: type, in: text)
        }
    }
}

extension APIRequest {
    /// Reads the body as `Value` (`Request.json`).
    func body<Value: Decodable & Sendable>(
        _ type: Value.Type,
        limit: Int = BodyLimit.form
    ) async throws -> SentJSON<Value> {
        try await request.json(type, limit: limit)
    }

    /// Returns the `Idempotency-Key`, which every call that changes something needs.
    ///
    /// - Parameter text: everything that the call asks besides its address.
    func key(for text: String) throws -> IdempotencyKey {
        guard let key = try request.headers.single(.idempotencyKey) else {
            throw WebError(.invalid, "Send an Idempotency-Key of your own making.", field: "Idempotency-Key")
        }
        return try IdempotencyKey(key, of: token.id.uuid, for: [request.uri.path, app.description, text])
    }

    /// Returns the key of a call that may do without; nil without one.
    func optionalKey(for text: String) throws -> IdempotencyKey? {
        request.headers[.idempotencyKey] == nil ? nil : try key(for: text)
    }

    /// Returns a part of the path, decoded.
    func parameter(_ name: String) throws -> String {
        try URLEncoded.decode(try context.parameters.require(name).utf8)
    }
}

extension DecodingError {
    /// Returns an error that names the fields at fault; none where the body is no JSON at all.
    fileprivate func webError<Value: Decodable>(for type: Value.Type, in text: String) -> WebError {
        func invalid(_ context: Context, _ kind: FieldProblem.Kind) -> WebError {
            let field = context.codingPath.map(\.stringValue).joined(separator: ".")
            guard !field.isEmpty else { return WebError(.invalid, "The body is a JSON object.", underlying: self) }
            return WebError(FieldProblem(field, kind), underlying: self)
        }
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return all(for: type, in: text) ?? invalid(context, .wrongType)
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            return all(for: type, in: text) ?? invalid(context, .unfit)
        case .keyNotFound(let key, _):
            return WebError(FieldProblem(key.stringValue, .missing), underlying: self)
        case .dataCorrupted:
            return all(for: type, in: text) ?? WebError(.badRequest, "The body is not JSON.", underlying: self)
        @unknown default: return WebError(.badRequest, "The body is not JSON.", underlying: self)
        }
    }

    /// Returns an error with every member whose value does not fit its field, while the decoder stops at the first; nil where the
    /// body is no JSON.
    ///
    /// For a number that is no `Int`, such as 1.5, the decoder reports the same error as for invalid JSON, and no place.
    private func all<Value: Decodable>(for type: Value.Type, in text: String) -> WebError? {
        guard (try? JSONDecoder().decode(AnyValue.self, from: Data(text.utf8))) != nil else { return nil }
        let fields = SentMembers(text).members.compactMap { name, value in
            Self.mistake(in: value, of: name, for: type).map { FieldProblem(name, $0) }
        }
        guard let first = fields.first else { return nil }
        var error = WebError(first, underlying: self)
        error.fields = fields
        return error
    }

    /// Returns the reason that a member, decoded alone, does not fit; nil where it does.
    private static func mistake<Value: Decodable>(
        in value: String,
        of name: String,
        for type: Value.Type
    ) -> FieldProblem.Kind? {
        guard let quoted = try? JSONEncoder().encode(name) else { return nil }
        let alone = Data("{".utf8) + quoted + Data(":\(value)}".utf8)
        do {
            _ = try JSONDecoder().decode(type, from: alone)
            return nil
        } catch DecodingError.typeMismatch {
            return .wrongType
        } catch DecodingError.dataCorrupted {
            return .unfit
        } catch {
            return nil
        }
    }

    /// A JSON value of any type.
    private struct AnyValue: Decodable {
        init(from decoder: any Decoder) {}
    }
}

extension HTTPField.Name {
    /// draft-ietf-httpapi-idempotency-key-header
    static var idempotencyKey: HTTPField.Name {
        guard let name = HTTPField.Name("Idempotency-Key") else {
            preconditionFailure("Idempotency-Key is no name")  // safe: a constant
        }
        return name
    }
}
