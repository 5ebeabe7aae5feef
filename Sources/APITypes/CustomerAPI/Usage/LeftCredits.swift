public import Foundation

/// A customer's credits for a feature, which are spent where the plan has no room.
public struct LeftCredits: Resource {
    public var left: Int64
    public var owed: Int64
    public var buckets: [Bucket]

    public static let fields = Fields<Self> {
        Field("left", \.left, "How many can be spent now.")
        Field("owed", \.owed, "How many were spent of orders that were refunded since: the next ones pay for them.")
        Field("buckets", \.buckets, "What is left of each order, in the order in which it is spent.")
    }

    public init(left: Int64, owed: Int64, buckets: [Bucket]) {
        self.left = left
        self.owed = owed
        self.buckets = buckets
    }

    /// The rest of one order's credits.
    public struct Bucket: Resource {
        public var orderNumber: String?
        public var left: Int64
        public var granted: Int64
        public var expiresAt: Date?

        public static let fields = Fields<Self> {
            Field("orderNumber", \.orderNumber, "The order that brought them.")
            Field("left", \.left)
            Field("granted", \.granted, "How many it brought.")
            Field("expiresAt", \.expiresAt, "The end of the period that they came with; null for never.")
        }

        public init(orderNumber: String?, left: Int64, granted: Int64, expiresAt: Date?) {
            self.orderNumber = orderNumber
            self.left = left
            self.granted = granted
            self.expiresAt = expiresAt
        }
    }
}
