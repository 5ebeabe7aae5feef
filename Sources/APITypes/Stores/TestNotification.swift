public import Foundation

/// The request body of `POST /webhooks/apple/test`.
public struct TestNotificationRequest: Codable, Hashable, Sendable {
    public var environment: String?

    public static let body = RequestBody(
        of: Self.self,
        required: [],
        optional: [
            .init(
                "environment",
                \Self.environment,
                "Which address Apple is to send it to.",
                .oneOf(Vocabulary.environments),
                .preset(.string("PRODUCTION"))
            )
        ]
    )

    public init(environment: String? = nil) {
        self.environment = environment
    }
}

/// The result of a test notification.
public struct TestNotificationResult: Resource {
    public var source: String
    public var environment: String
    public var requestedAt: Date
    public var result: String
    public var reason: String?

    public static let fields = Fields<Self> {
        Field("source", \.source, .oneOf(Vocabulary.sources))
        Field("environment", \.environment, .oneOf(Vocabulary.environments))
        Field("requestedAt", \.requestedAt)
        Field(
            "result",
            \.result,
            """
            ARRIVED: it came in and is verified. UNDELIVERED: the store could not deliver it, for the `reason`. ELSEWHERE: it was \
            delivered, but not to this installation. PENDING: the store has not sent it yet.
            """,
            .oneOf(Vocabulary.testNotificationResults)
        )
        Field("reason", \.reason, "In the store's own words (Apple's `sendAttemptResult`).")
    }

    public init(source: String, environment: String, requestedAt: Date, result: String, reason: String?) {
        self.source = source
        self.environment = environment
        self.requestedAt = requestedAt
        self.result = result
        self.reason = reason
    }
}
