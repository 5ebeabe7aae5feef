/// The result of a cancellation, or the place to cancel: `POST /api/v1/subscription/cancel`.
public struct SubscriptionCancellation: Resource {
    public var cancelled: Bool
    public var manageUrl: String?
    public var message: String

    public static let fields = Fields<Self> {
        Field("cancelled", \.cancelled, "Whether it is done. false where only the customer can do it, at the store.")
        Field("manageUrl", \.manageUrl, "The store's page to open for that; null where it is done.", .format("uri"))
        Field("message", \.message, "The same in a sentence, in the language that `Accept-Language` asks for.")
    }

    public init(cancelled: Bool, manageUrl: String?, message: String) {
        self.cancelled = cancelled
        self.manageUrl = manageUrl
        self.message = message
    }
}
