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
        let payload = body.dropFirst(opening.count).dropLast(closing.count)
        guard payload.allSatisfy(isPartOfJWS) else { return nil }
        return String(decoding: payload, as: UTF8.self)
    }

    private static func isPartOfJWS(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
