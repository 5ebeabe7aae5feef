public import Foundation

/// The result of a receipt's validation: `POST /ios/validate-receipt`, `POST /ios/restore` (llm-proxy, "Validate Receipt").
public struct IOSReceiptValidation: Resource {
    public var success: Bool
    public var message: String
    public var data: Content

    public static let fields = Fields<Self> {
        Field("success", \.success, "Whether the customer has what was proven, be it until the store confirms it.")
        Field("message", \.message, "The same in a sentence, in the language that `Accept-Language` asks for.")
        Field("data", \.data)
    }

    public init(success: Bool, message: String, data: Content) {
        self.success = success
        self.message = message
        self.data = data
    }

    /// The subscription, and whose it is.
    public struct Content: Resource {
        public var subscription: IOSSubscription
        public var user: User

        public static let fields = Fields<Self> {
            Field("subscription", \.subscription)
            Field("user", \.user)
        }

        public init(subscription: IOSSubscription, user: User) {
            self.subscription = subscription
            self.user = user
        }
    }

    /// The customer with what they have.
    public struct User: Resource {
        public var id: UUID
        public var subscription: IOSSubscription

        public static let fields = Fields<Self> {
            Field("id", \.id, "The customer's id.")
            Field("subscription", \.subscription, "The same once more.")
        }

        public init(id: UUID, subscription: IOSSubscription) {
            self.id = id
            self.subscription = subscription
        }
    }
}
