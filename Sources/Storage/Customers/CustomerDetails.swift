package import Billing
package import Foundation

/// Everything that the page of one customer shows, but for the timeline.
package struct CustomerDetails: Sendable {
    package var customer: OrderDetails.Customer
    package var createdAt: Date
    /// The facts that their app reported with its last call; nil if no app of theirs ever called.
    package var activity: CustomerActivity?
    /// Newest first.
    package var subscriptions: [Held]
    /// Everything that gives access, grants too.
    package var entitlementSources: EntitlementSources
    /// The code of the plan that everybody of the app has; nil for an app without plans.
    package var basePlan: String?
    /// The reason for which they have no access any more; nil where they have some, or never had any.
    package var loss: AccessLoss?
    /// The newest few.
    package var orders: [ListedOrder]
    package var hasMoreOrders: Bool
    /// Those that stand, newest first; empty for those who may not read them.
    package var notes: [CustomerNote]
    package var fraud: FraudFacts
    /// The time since which a parent's withdrawn consent blocks the use of the app; nil where none does.
    package var consentRescindedAt: Date?
    /// The customer's consent to share their usage with the store; nil where none was ever recorded.
    package var consent: ConsumptionConsent?
    /// Renewals that staff had stores extend, newest first.
    package var extensions: [RenewalExtension]
    /// The identities that the customer signs in with, in the order in which they were linked.
    package var identities: [SignInIdentity]
    /// The time at which the customer had their account deleted; nil for everybody else.
    package var deletedAt: Date?
    /// The time since which they are a tester, whose sandbox purchases give access; nil for everybody else.
    package var testerSince: Date?

    package init(
        customer: OrderDetails.Customer,
        createdAt: Date,
        activity: CustomerActivity? = nil,
        subscriptions: [Held],
        entitlementSources: EntitlementSources,
        orders: [ListedOrder],
        hasMoreOrders: Bool,
        notes: [CustomerNote],
        fraud: FraudFacts,
        consentRescindedAt: Date? = nil,
        consent: ConsumptionConsent? = nil,
        extensions: [RenewalExtension] = [],
        identities: [SignInIdentity] = [],
        deletedAt: Date? = nil,
        testerSince: Date? = nil
    ) {
        self.customer = customer
        self.createdAt = createdAt
        self.activity = activity
        self.subscriptions = subscriptions
        self.entitlementSources = entitlementSources
        self.orders = orders
        self.hasMoreOrders = hasMoreOrders
        self.notes = notes
        self.fraud = fraud
        self.consentRescindedAt = consentRescindedAt
        self.consent = consent
        self.extensions = extensions
        self.identities = identities
        self.deletedAt = deletedAt
        self.testerSince = testerSince
    }

    /// One of the customer's subscriptions and where it is from.
    package struct Held: Sendable {
        package var held: OrderDetails.CustomerSubscription
        package var store: Store
        package var environment: StoreEnvironment
        package var originalTransactionID: String
        package var productName: String
        /// A seat that somebody else pays for.
        package var isAssigned: Bool
        /// nil for what is not sold by seats.
        package var seats: SeatCounts?

        package init(
            held: OrderDetails.CustomerSubscription,
            store: Store,
            environment: StoreEnvironment,
            originalTransactionID: String,
            productName: String,
            isAssigned: Bool = false,
            seats: SeatCounts? = nil
        ) {
            self.held = held
            self.store = store
            self.environment = environment
            self.originalTransactionID = originalTransactionID
            self.productName = productName
            self.isAssigned = isAssigned
            self.seats = seats
        }
    }

    /// The number of orders on the page itself.
    package static let orderLimit = 10
}
