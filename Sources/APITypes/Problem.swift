public import Foundation

/// What went wrong with a request (RFC 9457, `application/problem+json`). Where a plan restricts a customer it says more (3.2,
/// "Extension Members").
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
    public var success: Bool?
    public var message: String?

    public static let fields = Fields<Self> {
        Field("type", \.type, "Names the kind of problem: `/problems/not-found`.")
        Field("title", \.title)
        Field("status", \.status)
        Field("detail", \.detail, "What is wrong with this request.")
        Field("instance", \.instance, "The path that was asked for.")
        Field("requestId", \.requestId, "What to tell the operator.")
        Field("errors", \.errors, "The inputs at fault; empty when none is.")
        Field.ifAny(
            "code",
            \.code,
            "Why the customer may not use the feature: their plan does not include it, or what it gives is used.",
            .oneOf(Vocabulary.restrictions)
        )
        Field.ifAny("feature", \.feature, "Of `code`: the feature's code.")
        Field.ifAny("requiredPlan", \.requiredPlan, "Of `tierRequired`: the lowest plan with it, if any.")
        Field.ifAny("window", \.window, "Of `limitReached`: which limit.", .oneOf(Vocabulary.usageWindows))
        Field.ifAny("limit", \.limit, "Of `limitReached`.")
        Field.ifAny("used", \.used, "Of `limitReached`: how much is used of the limit.")
        Field.ifAny("resetsAt", \.resetsAt, "Of `limitReached`: when it is counted anew; not there for a lifetime.")
        Field.ifAny("success", \.success, "false; only of the calls below `/ios`, whose answers all have it.")
        Field.ifAny("message", \.message, "What to show to the customer; only of the calls below `/ios`.")
    }

    /// One input and what is wrong with it.
    public struct InputError: Resource {
        public var field: String
        public var reason: String

        public static let fields = Fields<Self> {
            Field("field", \.field)
            Field("reason", \.reason)
        }

        public init(field: String, reason: String) {
            self.field = field
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
        self.success = success
        self.message = message
    }
}
