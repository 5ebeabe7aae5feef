/// An item of what an app sent that proves nothing.
public struct WorthlessProof: Resource {
    public var field: String
    public var reason: String

    public static let fields = Fields<Self> {
        Field("field", \.field, "Its place in what was sent: `signedTransactions.1`.")
        Field("reason", \.reason, "Why, for developers.")
    }

    public init(field: String, reason: String) {
        self.field = field
        self.reason = reason
    }
}
