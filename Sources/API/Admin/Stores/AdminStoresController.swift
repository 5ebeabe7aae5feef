import APITypes
import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
package import Storage

/// Tests the connections of apps to their stores, for programs.
package struct AdminStoresController: Sendable {
    let backOffice: BackOffice

    package static let test = APIOperation(
        "sendTestNotification",
        .stores,
        "Has Apple send a test notification, and waits for it",
        """
        Waits up to 10 seconds. At most one a second, in the sandbox one in ten seconds: 429 says when the next may be asked for. \
        409 says why Apple, or the app's key, does not allow it. Without an Idempotency-Key each call asks for one.
        """,
        body: TestNotificationRequest.body,
        takesKey: false,
        answer: .ok(TestNotificationResult.self, "What became of it.")
    )

    /// `POST /webhooks/apple/test`
    @Sendable package func test(_ call: APIRequest) async throws -> Response {
        let sent = try await call.body(TestNotificationRequest.self)
        let environment = try StoreEnvironment.named(sent.value.environment)
        _ = try await backOffice.requestTestNotification(
            of: call.app,
            at: .apple,
            in: environment,
            key: try call.optionalKey(for: sent.text),
            caller: call.caller
        )
        let tested = try await backOffice.awaitedTestNotification(
            of: call.app,
            at: .apple,
            in: environment,
            patience: Self.patience
        )
        guard let tested else { throw WebError(.conflict, "The app's account at Apple was removed meanwhile.") }
        return .json(TestNotificationResult(tested))
    }

    /// The longest that a call waits, in seconds.
    private static let patience = 10
}

extension StoreEnvironment {
    /// - Parameter text: PRODUCTION or SANDBOX; nil means production.
    /// - Throws: `OperationsError` with `.invalid` and the field `environment`.
    static func named(_ text: String?) throws(OperationsError) -> Self {
        guard let text else { return .production }
        guard let environment = allCases.first(where: { $0.name == text }) else {
            throw OperationsError(problems: [FieldProblem("environment", .unknownChoice)])
        }
        return environment
    }
}

extension TestNotificationResult {
    package init(_ tested: TestNotification) {
        self.init(
            source: tested.store.source,
            environment: tested.environment.name,
            requestedAt: tested.requestedAt,
            result: tested.result.name,
            reason: tested.reason
        )
    }
}

extension TestNotification.Result {
    /// The result's name. A refused request, and one without an answer, is first answered as an error, and later by this name.
    fileprivate var name: String {
        switch self {
        case .pending: "PENDING"
        case .arrived: "ARRIVED"
        case .undelivered: "UNDELIVERED"
        case .elsewhere: "ELSEWHERE"
        case .refused: "REFUSED"
        case .unanswered: "UNANSWERED"
        }
    }
}
