package import Foundation

/// Everything that can give a customer access: subscriptions at the stores, less what staff suspended, and grants.
package struct EntitlementSources: Hashable, Sendable {
    package var customer: Customer.ID
    package var subscriptions: [HeldSubscription]
    package var grants: [Grant]
    /// The records of the grants; a hypothetical grant has none.
    package var grantRecords: [Grant.ID: GrantRecord]

    package init(
        customer: Customer.ID,
        subscriptions: [HeldSubscription] = [],
        grants: [Grant] = [],
        grantRecords: [Grant.ID: GrantRecord] = [:]
    ) {
        self.customer = customer
        self.subscriptions = subscriptions
        self.grants = grants
        self.grantRecords = grantRecords
    }

    package func subscription(_ id: Subscription.ID) -> HeldSubscription? {
        subscriptions.first { $0.id == id }
    }

    package func grant(_ id: Grant.ID) -> Grant? {
        grants.first { $0.id == id }
    }

    /// The entitlement sources without the grants: the stores' subscriptions alone.
    package var paid: EntitlementSources {
        EntitlementSources(customer: customer, subscriptions: subscriptions)
    }

    /// A number that is another one after any change to any of it: what a form carries to notice that it is stale.
    package var fingerprint: Int {
        let parts =
            subscriptions.map { "\($0.id) \($0.version) \($0.suspendedAt?.timeIntervalSince1970 ?? 0)" }
            + grants.map { "\($0.id) \($0.version)" }
        // FNV-1a, as Swift's own hashes differ from process to process.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in parts.sorted().joined(separator: "\n").utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        return Int(hash >> 12)
    }
}

/// The record of a grant, apart from the access that it gives.
package struct GrantRecord: Hashable, Sendable {
    /// True if the customer got it with a promo code.
    package var isOfPromoCode: Bool
    package var createdAt: Date
    package var updatedAt: Date

    package init(isOfPromoCode: Bool, createdAt: Date, updatedAt: Date) {
        self.isOfPromoCode = isOfPromoCode
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

/// A subscription as a customer holds it.
package struct HeldSubscription: Hashable, Sendable, Identifiable {
    package var id: Subscription.ID
    package var subscription: Subscription
    package var plan: Plan
    package var store: Store
    package var environment: StoreEnvironment
    /// The store's own number of it; nil where nobody asks.
    package var originalTransactionID: String?
    /// The time from which staff suspended its access; the store's state is left alone.
    package var suspendedAt: Date?
    /// A sandbox purchase of a customer to whom the app gives no sandbox access (`SandboxAccess`): it gives nothing.
    package var isWithheld: Bool
    /// Staff said whose it is; the store's account token no longer moves it.
    package var isOwnerLocked: Bool
    /// The claim by which the customer has a seat of somebody else's group; nil for what is their own. What the purchaser decides about, and
    /// what the store calls it, is not theirs.
    package var seat: SeatClaim.ID?
    package var version: Int
    /// The time at which we first heard of it; nil for a hypothetical one.
    package var createdAt: Date?
    /// The time of our latest news of it.
    package var updatedAt: Date?

    package init(
        id: Subscription.ID,
        subscription: Subscription,
        plan: Plan,
        store: Store = .apple,
        environment: StoreEnvironment = .production,
        originalTransactionID: String? = nil,
        suspendedAt: Date? = nil,
        isWithheld: Bool = false,
        isOwnerLocked: Bool = false,
        seat: SeatClaim.ID? = nil,
        version: Int = 0,
        createdAt: Date? = nil,
        updatedAt: Date? = nil
    ) {
        self.id = id
        self.subscription = subscription
        self.plan = plan
        self.store = store
        self.environment = environment
        self.originalTransactionID = originalTransactionID
        self.suspendedAt = suspendedAt
        self.isWithheld = isWithheld
        self.isOwnerLocked = isOwnerLocked
        self.seat = seat
        self.version = version
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    package func hasAccess(at now: Date) -> Bool {
        suspendedAt == nil && !isWithheld && subscription.hasAccess(at: now)
    }

    /// True if it gives access now or will, if no further event comes.
    package func isLive(at now: Date) -> Bool {
        suspendedAt == nil && !isWithheld && subscription.isLive(at: now)
    }

    /// The time at which it gives access, where that lies ahead.
    package func beginning(after now: Date) -> Date? {
        isLive(at: now) && !hasAccess(at: now) ? subscription.accessStartsAt : nil
    }
}
