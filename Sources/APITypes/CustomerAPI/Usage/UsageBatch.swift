/// A customer's usage while their app was offline: `POST /usage`.
public struct UsageBatchRequest: Decodable, Sendable, Hashable {
    public var items: [SentItem<UsageItem>]?

    public static let body = RequestBody(
        of: Self.self,
        required: [.init("items", \.items, "Each counted for itself, in this order.", .count(1, 100))]
    )
}

/// Customers' usage, as their app's own server counted it: `POST /customers/usage`.
public struct CustomerUsageBatchRequest: Decodable, Sendable, Hashable {
    public var items: [SentItem<CustomerUsageItem>]?

    public static let body = RequestBody(
        of: Self.self,
        required: [.init("items", \.items, "Each counted for itself, in this order.", .count(1, 100))]
    )
}

/// Something that a customer used.
public struct UsageItem: Resource {
    public var feature: String?
    public var quantity: Int64?
    public var occurredAt: String?
    public var key: String?

    public static let fields = Fields<Self> {
        Field.required("feature", \.feature, "The feature's code.", .length(1, 100))
        Field.optional("quantity", \.quantity, UsageItem.quantities, .range(1, 1_000_000))
        Field.optional("occurredAt", \.occurredAt, UsageItem.times, .format("date-time"))
        Field.required("key", \.key, UsageItem.keys, .length(1, 255))
    }

    static let quantities = "How many; 1 when nobody says."
    static let times = "As `POST /usage/{feature}` takes it: when it happened, for what was counted offline."
    static let keys = "The item's idempotency key. Under one key it is counted once, whichever call brings it."

    public init(feature: String?, quantity: Int64?, occurredAt: String?, key: String?) {
        self.feature = feature
        self.quantity = quantity
        self.occurredAt = occurredAt
        self.key = key
    }
}

/// The same, and which customer it was.
public struct CustomerUsageItem: Resource {
    public var customer: String?
    public var feature: String?
    public var quantity: Int64?
    public var occurredAt: String?
    public var key: String?

    public static let fields = Fields<Self> {
        Field.required("customer", \.customer, "The app's own id of the customer.", .length(1, 255))
        Field.required("feature", \.feature, "The feature's code.", .length(1, 100))
        Field.optional("quantity", \.quantity, UsageItem.quantities, .range(1, 1_000_000))
        Field.optional("occurredAt", \.occurredAt, UsageItem.times, .format("date-time"))
        Field.required("key", \.key, UsageItem.keys, .length(1, 255))
    }

    public init(customer: String?, feature: String?, quantity: Int64?, occurredAt: String?, key: String?) {
        self.customer = customer
        self.feature = feature
        self.quantity = quantity
        self.occurredAt = occurredAt
        self.key = key
    }
}

/// The results of a batch's items.
public struct UsageBatch: Resource {
    public var items: [UsageBatchItem]

    public static let fields = Fields<Self> {
        Field("items", \.items, "One for each that was sent, in its order.")
    }

    public init(items: [UsageBatchItem]) {
        self.items = items
    }
}

/// The result of one item: the count, or the reason why there is none.
public struct UsageBatchItem: Resource {
    public var status: Int
    public var key: String?
    public var usage: UsageCount?
    public var problem: Problem?

    public static let fields = Fields<Self> {
        Field("status", \.status, "As the call for this item alone would answer: 200, 400, 403, 404, 422, 429, 500.")
        Field("key", \.key, "The item's; null where it had none or could not be read.")
        Field("usage", \.usage, "null where nothing was counted.")
        Field("problem", \.problem, "Why nothing was counted; null where it was.")
    }

    public init(status: Int, key: String?, usage: UsageCount?, problem: Problem?) {
        self.status = status
        self.key = key
        self.usage = usage
        self.problem = problem
    }
}
