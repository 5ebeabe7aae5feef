/// A request that changes something and gives a reason.
public protocol ReasonedRequest: Codable, Sendable {
    var category: String? { get }
    var reason: String? { get }
}

extension RequestBody.Member where Request: ReasonedRequest {
    public static var category: Self { Self("category", \.category, .oneOf(Vocabulary.reasonCategories)) }

    /// The same of what the readmigo document has done with a reason alone.
    public static var categoryOrOther: Self {
        Self("category", \.category, "`other` where it is left out.", .oneOf(Vocabulary.reasonCategories))
    }

    public static var reason: Self {
        Self("reason", \.reason, .length(10, 500), .example(.string("The customer was charged twice.")))
    }
}
