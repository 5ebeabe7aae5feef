import Billing
package import HTTP
import HTTPTypes
package import Hummingbird
import Operations

/// Takes in the notifications of the stores other than Apple, for their gateways to read as they came. The body is the signed text,
/// and the headers hold what else the store signs.
package struct StoreNotificationController: Sendable {
    let backOffice: BackOffice

    /// `POST /webhooks/{store}`, `POST /webhooks/{store}/{app}`
    ///
    /// 200 means stored, also when it was there already; 204 that it is none of ours, and not kept; the store sends again after any other
    /// answer.
    @Sendable package func create(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        guard let store = context.parameters.get("store").flatMap(Store.init(rawValue:)), store != .apple else {
            throw WebError(.notFound, "There is no such page.")
        }
        let answers = backOffice.deliveryAnswers(of: store)
        do {
            guard try await isTaken(request, from: store, forApp: context.parameters.get("app")) else {
                return Response(status: .noContent)
            }
        } catch {
            guard let answers else { throw error }
            var failure = ErrorTable.webError(for: error)
            failure.answerToStore = WebError.AnswerToStore(answers.notTaken, as: answers.mediaType)
            throw failure
        }
        return answers.map { Response.text($0.taken, type: $0.mediaType) } ?? Response(status: .ok)
    }

    /// True if it is stored; false if it is none of ours.
    private func isTaken(_ request: Request, from store: Store, forApp slug: String?) async throws -> Bool {
        let body = try await request.collectBody(limit: BodyLimit.notification)
        guard let payload = String(validating: body.readableBytesView, as: UTF8.self), !payload.isEmpty,
            !payload.utf8.contains(0)
        else { throw WebError(.badRequest, "The body is not a text in UTF-8.") }
        do {
            try await backOffice.receiveNotification(
                payload,
                headers: headers(of: request),
                from: store,
                forApp: slug
            )
        } catch let error as OperationsError where backOffice.leaves(error, to: store) {
            return false
        }
        return true
    }

    /// Returns the headers that occur once: a signed one does not occur twice.
    private func headers(of request: Request) -> [String: String] {
        Dictionary(grouping: request.headers, by: \.name.canonicalName)
            .compactMapValues { $0.count == 1 ? $0.first?.value : nil }
    }
}
