public import Foundation

/// The reason why a request failed (RFC 9457, `application/problem+json`). For a customer whom their plan restricts, it has further
/// members (3.2, "Extension Members").
public struct Problem: Resource {
    public var type: String
    public var title: String
    public var status: Int
    public var detail: String
    public var instance: String
    public var requestId: String
    public var errors: [InputError]
    public var code: String?
    public var feature: String?
    public var requiredPlan: String?
    public var window: String?
    public var limit: Int64?
    public var used: Int64?
    public var resetsAt: Date?
    public var signInProvider: String?
    public var maskedEmail: String?
    public var success: Bool?
    public var message: String?

    public static let fields = Fields<Self> {
        Field("type", \.type, "Names the kind of problem: `/problems/not-found`.")
        Field("title", \.title, "Names the kind of problem for people.")
        Field("status", \.status)
        Field(
            "detail",
            \.detail,
            "What is wrong with this request. Apps are answered in the language that `Accept-Language` asks for."
        )
        Field("instance", \.instance, "The path that was asked for.")
        Field("requestId", \.requestId, "What to tell the operator.")
        Field("errors", \.errors, "The inputs at fault; empty when none is.")
        Field.ifAny(
            "code",
            \.code,
            "Why, for programs; of the calls of apps only. Values may be added.",
            .oneOf(Vocabulary.problemCodes)
        )
        Field.ifAny("feature", \.feature, "Of `code`: the feature's code.")
        Field.ifAny("requiredPlan", \.requiredPlan, "Of `tierRequired`: the lowest plan with it, if any.")
        Field.ifAny("window", \.window, "Of `limitReached`: which limit.", .oneOf(Vocabulary.usageWindows))
        Field.ifAny("limit", \.limit, "Of `limitReached`.")
        Field.ifAny("used", \.used, "Of `limitReached`: how much is used of the limit.")
        Field.ifAny("resetsAt", \.resetsAt, "Of `limitReached`: when it is counted anew; not there for a lifetime.")
        Field.ifAny(
            "signInProvider",
            \.signInProvider,
            "Of `purchaseOwnedByAnother`: where the owner signed in last, if the app tells.",
            .oneOf(Vocabulary.authProviders)
        )
        Field.ifAny(
            "maskedEmail",
            \.maskedEmail,
            "Of `purchaseOwnedByAnother`: the owner's address, masked, if the app tells."
        )
        Field.ifAny("success", \.success, "false; only of the calls below `/ios`, whose answers all have it.")
        Field.ifAny(
            "message",
            \.message,
            "What to show to the customer, in their language; of the calls below `/ios`, and where they are not signed in."
        )
    }

    /// One input and what is wrong with it.
    public struct InputError: Resource {
        public var field: String
        public var code: String?
        public var reason: String

        public static let fields = Fields<Self> {
            Field("field", \.field)
            Field.ifAny(
                "code",
                \.code,
                "What is wrong, for programs; of the calls of apps only. Values may be added.",
                .oneOf(Vocabulary.fieldProblemCodes)
            )
            Field("reason", \.reason, "The same for people, in the language of `detail`.")
        }

        public init(field: String, code: String? = nil, reason: String) {
            self.field = field
            self.code = code
            self.reason = reason
        }
    }

    public init(
        type: String,
        title: String,
        status: Int,
        detail: String,
        instance: String,
        requestId: String,
        errors: [InputError],
        code: String? = nil,
        success: Bool? = nil,
        message: String? = nil
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.instance = instance
        self.requestId = requestId
        self.errors = errors
        self.code = code
        self.success = success
        self.message = message
    }
}
