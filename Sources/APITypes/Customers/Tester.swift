public import Foundation

/// Access by purchases in the sandbox, as the app allows it.
public struct Tester: Resource {
    public var tester: Bool
    public var since: Date?

    public static let fields = Fields<Self> {
        Field("tester", \.tester)
        Field("since", \.since, "Since when; nothing for who is none.")
    }

    public init(tester: Bool, since: Date?) {
        self.tester = tester
        self.since = since
    }
}

/// The body of `PUT /admin/customers/{id}/tester`.
public struct NewTester: Codable, Hashable, Sendable {
    public var tester: Bool?

    public static let body = RequestBody(
        required: [.init("tester", \Self.tester, "Whether the customer is one; false takes it back.")]
    )

    public init(tester: Bool?) {
        self.tester = tester
    }
}
