import APITypes
import Billing
package import HTTP
import HTTPTypes
package import Hummingbird
import Operations
import Storage
import Words

/// Counts usage for an app's own server. A customer who is named for the first time is created.
package struct AppServerUsageController: Sendable {
    let backOffice: BackOffice

    private var calls: UsageCalls { UsageCalls(backOffice: backOffice) }

    package static let count = APIOperation(
        "countCustomerUsage",
        .servers,
        "Counts a customer's use of a feature",
        "As `POST /usage/{feature}`, which the customer's app calls. An `Idempotency-Key` is the app's: it is used for one customer.",
        path: .externalID,
        .feature,
        body: UsageRequest.body,
        mayTakeKey: true,
        isRestricted: true,
        answer: .ok(UsageCount.self, "It is counted.")
    )

    /// `POST /customers/{externalId}/usage/{feature}`
    @Sendable package func count(_ call: AppServerRequest) async throws -> Response {
        let (name, feature) = (try call.parameter("externalId"), try call.parameter("feature"))
        let sent = try await call.request.json(UsageRequest.self).value
        do {
            let customer = try await backOffice.customerOrNew(named: name, of: call.app)
            let counted = try await calls.count(sent, of: feature, for: customer) { asked throws(OperationsError) in
                try call.key(of: name, for: asked)
            }
            return .json(counted)
        } catch let error as OperationsError {
            throw error.forPrograms()
        }
    }

    package static let batch = APIOperation(
        "countUsageOfCustomers",
        .servers,
        "Counts what up to 100 customers used",
        """
        Each item is counted for itself and answered as its own call would be; one that is refused undoes none of the others. Each has a \
        key of its own: the batch may be sent again.
        """,
        body: CustomerUsageBatchRequest.body,
        takesKey: false,
        answer: .ok(UsageBatch.self, "One for each item.")
    )

    /// `POST /customers/usage`
    @Sendable package func batch(_ call: AppServerRequest) async throws -> Response {
        let sent = try await call.request.json(CustomerUsageBatchRequest.self, limit: BodyLimit.notification).value
        let batches = UsageBatches(
            calls: calls,
            path: call.request.uri.path,
            context: call.context,
            strings: call.strings
        )
        return try await batches.count(sent.items, key: \.key) { item in
            let (key, feature) = (try item.key.required("key"), try item.feature.required("feature"))
            let name = try item.customer.required("customer")
            do {
                let customer = try await backOffice.customerOrNew(named: name, of: call.app)
                return try await calls.count(UsageRequest(item), of: feature, for: customer) {
                    asked throws(OperationsError) in
                    try call.key(key, of: name, for: asked)
                }
            } catch let error as OperationsError {
                throw error.renaming("externalId", to: "customer")
            }
        }
    }

    package static let reserve = APIOperation(
        "reserveCustomerUsage",
        .servers,
        "Reserves a customer's use of a feature",
        "As `POST /usage/{feature}/reservations`, for what is under way at the server: a model's answer whose tokens it learns afterwards.",
        path: .externalID,
        .feature,
        body: UsageReservationRequest.body,
        mayTakeKey: true,
        isRestricted: true,
        answer: .created(ReservedUsage.self, "It is held.")
    )

    /// `POST /customers/{externalId}/usage/{feature}/reservations`
    @Sendable package func reserve(_ call: AppServerRequest) async throws -> Response {
        let (name, feature) = (try call.parameter("externalId"), try call.parameter("feature"))
        let sent = try await call.request.json(UsageReservationRequest.self).value
        do {
            let customer = try await backOffice.customerOrNew(named: name, of: call.app)
            return try await calls.reserve(sent, of: feature, for: customer) { asked throws(OperationsError) in
                try call.key(of: name, for: asked)
            }
        } catch let error as OperationsError {
            throw error.forPrograms()
        }
    }

    package static let settle = APIOperation(
        "settleCustomerUsage",
        .servers,
        "Says how much of a customer's reservation was used",
        "The rest is given back. Saying the same again changes nothing; what has expired is 409, and is counted anew.",
        path: .externalID,
        .feature,
        .id("id", "The reservation's id."),
        body: UsageSettlementRequest.body,
        takesKey: false,
        answer: .ok(UsageCount.self, "It is settled.")
    )

    /// `POST /customers/{externalId}/usage/{feature}/reservations/{id}/settle`
    @Sendable package func settle(_ call: AppServerRequest) async throws -> Response {
        let (name, feature) = (try call.parameter("externalId"), try call.parameter("feature"))
        let sent = try await call.request.json(UsageSettlementRequest.self).value
        let customer = try await backOffice.customer(named: name, of: call.app)
        return try await calls.settle(try call.parameter("id"), sent, of: feature, for: customer)
    }

    package static let release = APIOperation(
        "releaseCustomerUsage",
        .servers,
        "Gives back all of a customer's reservation",
        path: .externalID,
        .feature,
        .id("id", "The reservation's id."),
        answer: .noContent("Nothing is held any more.")
    )

    /// `DELETE /customers/{externalId}/usage/{feature}/reservations/{id}`
    @Sendable package func release(_ call: AppServerRequest) async throws -> Response {
        let (name, feature) = (try call.parameter("externalId"), try call.parameter("feature"))
        let customer = try await backOffice.customer(named: name, of: call.app)
        return try await calls.release(try call.parameter("id"), of: feature, for: customer)
    }
}

extension AppServerRequest {
    /// Returns the `Idempotency-Key`, which the app owns; nil without one.
    ///
    /// - Parameters:
    ///   - customer: the app's own id.
    ///   - asked: everything that the call asks.
    fileprivate func key(of customer: String, for asked: [String]) throws(OperationsError) -> IdempotencyKey? {
        guard let text = try request.headers.single(.idempotencyKey) else { return nil }
        return try key(text, of: customer, for: asked)
    }

    fileprivate func key(
        _ text: String,
        of customer: String,
        for asked: [String]
    ) throws(OperationsError) -> IdempotencyKey {
        try IdempotencyKey(text, of: app.uuid, for: [customer] + asked)
    }
}

extension APIParameter {
    package static let externalID = APIParameter.name(
        "externalId",
        "The app's own id of the customer.",
        example: "user-4711"
    )
    package static let feature = APIParameter.name("feature", "The feature's code.", example: "ai")
}
