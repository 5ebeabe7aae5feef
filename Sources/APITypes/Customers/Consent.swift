public import Foundation

/// A customer's consent to share their usage with their store (Apple's consumption data).
public struct Consent: Resource {
    public var given: Bool
    public var source: String
    public var recordedBy: String
    public var recordedAt: Date

    public static let fields = Fields<Self> {
        Field("given", \.given, "False where it was withdrawn, or never given.")
        Field("source", \.source, "Who said so: the app for its customer, or staff.", .oneOf(["APP", "STAFF"]))
        Field("recordedBy", \.recordedBy)
        Field("recordedAt", \.recordedAt)
    }

    public init(given: Bool, source: String, recordedBy: String, recordedAt: Date) {
        self.given = given
        self.source = source
        self.recordedBy = recordedBy
        self.recordedAt = recordedAt
    }
}

/// The request body of `PUT /admin/customers/{id}/consent`.
public struct NewConsent: Codable, Hashable, Sendable {
    public var given: Bool?

    public static let body = RequestBody(
        required: [.init("given", \Self.given, "Whether the customer consents; false takes it back.")]
    )

    public init(given: Bool?) {
        self.given = given
    }
}
