import Foundation
package import HTTP
package import Hummingbird
import Operations

/// Takes in Apple's notifications about the accounts that people sign in with (Sign in with Apple).
package struct AppleAccountController: Sendable {
    let backOffice: BackOffice

    private struct Body: Decodable {
        var payload: String?
    }

    /// `POST /webhooks/apple/account`
    ///
    /// 200 means stored, also when it was there already; Apple sends again after any other answer.
    @Sendable package func create(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        if let type = request.mediaType, type != "application/json" {
            throw WebError(.unsupportedMediaType, "Notifications are application/json.")
        }
        let body = try await request.collectBody(limit: BodyLimit.notification)
        let text = try body.jsonText()
        do {
            let payload = try JSONDecoder().decode(Body.self, from: Data(text.utf8)).payload
            try SentMembers.requireNamesOnce(in: text)
            guard let payload, !payload.isEmpty, !payload.utf8.contains(0) else {
                throw WebError(.invalid, "payload is missing.", field: "payload")
            }
            try await backOffice.receiveAccountNotification(payload)
        } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
            throw WebError(.invalid, "payload must be a text in a JSON object.", field: "payload")
        } catch let error as DecodingError {
            throw WebError(.badRequest, "The body is not JSON.", underlying: error)
        }
        return Response(status: .ok)
    }
}
