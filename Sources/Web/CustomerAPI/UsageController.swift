import APITypes
import Billing
import Foundation
import HTTPTypes
import Hummingbird
import Operations
import Storage

/// What a customer uses of what their plan gives, as the readmigo document has it.
struct UsageController: Sendable {
    let backOffice: BackOffice

    static let current = APIOperation(
        "showUsage",
        .usage,
        "What the customer has used",
        "Of every feature, by the app's business day and month.",
        answer: .ok(CurrentUsage.self, "What is used, and what is left.")
    )

    /// `GET /usage/current`
    @Sendable func show(_ call: CustomerRequest) async throws -> Response {
        .json(CurrentUsage(try await backOffice.usage(for: call.session)))
    }

    static let count = APIOperation(
        "countUsage",
        .usage,
        "Counts a use of a feature",
        """
        All of it or nothing: of many calls at once exactly as many are counted as the plan's limits leave. Where the plan does not \
        include the feature it is 403 with `code` `tierRequired`; where a limit has no room for it, 429 with `limitReached` and \
        `Retry-After`, and 403 with `limitReached` for a limit that no wait renews.
        """,
        path: .name("feature", "The feature's code: `ai`, `voice-chat`.", example: "ai"),
        body: UsageRequest.body,
        mayTakeKey: true,
        isRestricted: true,
        answer: .ok(UsageCount.self, "It is counted.")
    )

    /// `POST /usage/{feature}`
    @Sendable func count(_ call: CustomerRequest) async throws -> Response {
        let feature = try call.parameter("feature")
        let sent = try await call.request.json(UsageRequest.self).value
        do {
            let quantity = sent.quantity ?? 1
            let asked = ["usage", feature, "\(quantity)", sent.occurredAt ?? ""]
            let key = try call.key(for: asked)
            let answer = try await backOffice.count(
                feature,
                quantity: quantity,
                occurredAt: try sent.moment(),
                key: key,
                for: call.session
            )
            return .json(UsageCount(answer))
        } catch let error as OperationsError {
            throw error.forPrograms()
        }
    }
}

extension CustomerRequest {
    /// The `Idempotency-Key`, which the customer owns; nil without one.
    ///
    /// - Parameter asked: everything that is asked.
    func key(for asked: [String]) throws(OperationsError) -> IdempotencyKey? {
        guard let text = request.headers[.idempotencyKey] else { return nil }
        return try IdempotencyKey(text, of: customer.uuid, for: asked)
    }
}

extension UsageRequest {
    /// - Throws: `OperationsError` with `.invalid` for what is no time in RFC 3339.
    fileprivate func moment() throws(OperationsError) -> Date? {
        guard let occurredAt else { return nil }
        guard let moment = TimeText.date(rfc3339: occurredAt) else {
            throw OperationsError(problems: [FieldProblem("occurredAt", .notADate)])
        }
        return moment
    }
}
