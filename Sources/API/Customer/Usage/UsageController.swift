import APITypes
import Billing
import Foundation
package import HTTP
import HTTPTypes
package import Hummingbird
package import Operations
package import Storage
import Words

/// Answers and counts a customer's usage against their plan, in the readmigo document's shape.
package struct UsageController: Sendable {
    let backOffice: BackOffice

    private var calls: UsageCalls { UsageCalls(backOffice: backOffice) }

    package static let current = APIOperation(
        "showUsage",
        .usage,
        "What the customer has used",
        "Of every feature, by the app's business day and month.",
        answer: .ok(CurrentUsage.self, "What is used, and what is left.")
    )

    /// `GET /usage/current`
    @Sendable package func show(_ call: CustomerRequest) async throws -> Response {
        .json(CurrentUsage(try await backOffice.usage(for: call.session)))
    }

    package static let count = APIOperation(
        "countUsage",
        .usage,
        "Counts a use of a feature",
        """
        All of it or nothing: of many calls at once exactly as many are counted as the plan's limits leave. What they have no room for is \
        taken from the customer's credits, the first that expire first. Where these are not enough either, and the plan does not \
        include the feature, it is 403 with `code` `tierRequired`; where a limit has no room for it, 429 with `limitReached` and \
        `Retry-After`, and 403 with `limitReached` for a limit that no wait renews.
        """,
        path: .name("feature", "The feature's code: `ai`, `voice-chat`.", example: "ai"),
        body: UsageRequest.body,
        mayTakeKey: true,
        isRestricted: true,
        answer: .ok(UsageCount.self, "It is counted.")
    )

    /// `POST /usage/{feature}`
    @Sendable package func count(_ call: CustomerRequest) async throws -> Response {
        let feature = try call.parameter("feature")
        let sent = try await call.request.json(UsageRequest.self).value
        do {
            return .json(try await calls.count(sent, of: feature, for: call.session, key: call.key))
        } catch let error as OperationsError {
            throw error.forPrograms()
        }
    }

    package static let batch = APIOperation(
        "countUsageBatch",
        .usage,
        "Counts what was used while there was no connection",
        """
        Up to 100 items of an app's offline queue, each counted for itself and answered as `POST /usage/{feature}` would be; one that is \
        refused undoes none of the others. Each has a key of its own: the batch may be sent again.
        """,
        body: UsageBatchRequest.body,
        takesKey: false,
        answer: .ok(UsageBatch.self, "One for each item.")
    )

    /// `POST /usage`
    @Sendable package func batch(_ call: CustomerRequest) async throws -> Response {
        let sent = try await call.request.json(UsageBatchRequest.self, limit: BodyLimit.notification).value
        let batches = UsageBatches(
            calls: calls,
            path: call.request.uri.path,
            context: call.context,
            strings: call.strings
        )
        return try await batches.count(sent.items, key: \.key) { item in
            let (key, feature) = (try item.key.required("key"), try item.feature.required("feature"))
            return try await calls.count(UsageRequest(item), of: feature, for: call.session) {
                asked throws(OperationsError) in
                try IdempotencyKey(key, of: call.customer.uuid, for: asked)
            }
        }
    }
}

extension CustomerRequest {
    /// Returns the `Idempotency-Key`, which the customer owns; nil without one.
    ///
    /// - Parameter asked: everything that the call asks.
    package func key(for asked: [String]) throws(OperationsError) -> IdempotencyKey? {
        guard let text = try request.headers.single(.idempotencyKey) else { return nil }
        return try IdempotencyKey(text, of: customer.uuid, for: asked)
    }
}
