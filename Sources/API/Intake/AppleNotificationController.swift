import Foundation
package import HTTP
import HTTPTypes
package import Hummingbird
import NIOCore
import NIOFoundationCompat

/// Takes in App Store Server Notifications V2.
package struct AppleNotificationController: Sendable {
    /// Verifies and stores; returns after the commit.
    let receive: @Sendable (_ signedPayload: String) async throws -> Void

    package init(receive: @escaping @Sendable (_ signedPayload: String) async throws -> Void) {
        self.receive = receive
    }

    private struct Body: Decodable {
        var signedPayload: String?
    }

    /// `POST /webhooks/apple`, `POST /ios/webhook`
    ///
    /// 200 means stored, also when it was there already; Apple sends again after any other answer.
    @Sendable package func create(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        if let type = request.mediaType, type != "application/json" {
            throw WebError(.unsupportedMediaType, "Notifications are application/json.")
        }
        let body = try await request.collectBody(limit: BodyLimit.notification)
        try await receive(try signedPayload(in: body))
        return Response(status: .ok)
    }

    private func signedPayload(in body: ByteBuffer) throws -> String {
        if let payload = body.withUnsafeReadableBytes(PlainNotification.signedPayload) { return payload }
        let text = try body.jsonText()
        do {
            let payload = try JSONDecoder().decode(Body.self, from: body).signedPayload
            try SentMembers.requireNamesOnce(in: text)
            guard let payload, !payload.isEmpty, !payload.utf8.contains(0) else {
                throw WebError(.invalid, "signedPayload is missing.", field: "signedPayload")
            }
            return payload
        } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
            throw WebError(.invalid, "signedPayload must be a text in a JSON object.", field: "signedPayload")
        } catch let error as DecodingError {
            throw WebError(.badRequest, "The body is not JSON.", underlying: error)
        }
    }
}

/// The shape that Apple always sends, `{"signedPayload":"…"}` without escapes, read without a JSON parser.
package enum PlainNotification {
    private static let opening = Array(#"{"signedPayload":""#.utf8)
    private static let closing = Array(#""}"#.utf8)

    /// Returns the signed payload; nil for any other shape, which a JSON parser must read.
    package static func signedPayload(in body: UnsafeRawBufferPointer) -> String? {
        guard body.count > opening.count + closing.count, body.starts(with: opening),
            body.suffix(closing.count).elementsEqual(closing)
        else { return nil }
        let payload = UnsafeRawBufferPointer(rebasing: body.dropFirst(opening.count).dropLast(closing.count))
        guard isPlainText(payload) else { return nil }
        return String(decoding: payload, as: UTF8.self)
    }

    /// Returns true if the bytes are ASCII without an escape, the end of a string, a blank or a control character. Whether they are
    /// a JWS is for its own reader to say.
    ///
    /// There is no early end and no branch, so that the compiler looks at many of the 10,000 bytes at once.
    private static func isPlainText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var foreign: UInt8 = 0
        for byte in bytes {
            let isForeign = byte <= 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            foreign |= isForeign ? 1 : 0
        }
        return foreign == 0
    }
}
