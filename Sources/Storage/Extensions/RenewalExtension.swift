package import Billing
package import Foundation

/// One extension of renewal dates at a store: of one subscription, or of all who subscribe to a product (Apple: Extend a Subscription
/// Renewal Date; Extend Subscription Renewal Dates for All Active Subscribers).
package struct RenewalExtension: Sendable, Hashable, Identifiable {
    package typealias ID = Identifier<RenewalExtension>

    package var id: ID
    package var app: App.ID
    package var store: Store
    package var environment: StoreEnvironment
    /// The store's name of it: the id of the request made here.
    package var requestIdentifier: String
    package var target: Target
    /// nil for an extension that was not requested here and is only known from the store's summary.
    package var request: Request?
    package var state: State
    /// The request to the store that has no answer yet; nil before the first one, and once it is answered.
    package var unanswered: UnansweredQuestion?

    /// An extension that staff request.
    package init(
        id: ID,
        app: App.ID,
        store: Store,
        environment: StoreEnvironment,
        target: Target,
        request: Request
    ) {
        self.id = id
        self.app = app
        self.store = store
        self.environment = environment
        requestIdentifier = id.description
        self.target = target
        self.request = request
        state = .sending
    }

    init(
        id: ID,
        app: App.ID,
        store: Store,
        environment: StoreEnvironment,
        requestIdentifier: String,
        target: Target,
        request: Request?,
        state: State
    ) {
        self.id = id
        self.app = app
        self.store = store
        self.environment = environment
        self.requestIdentifier = requestIdentifier
        self.target = target
        self.request = request
        self.state = state
    }

    package enum Target: Sendable, Hashable {
        case subscription(Subscription.ID, originalTransactionID: String)
        /// - Parameter storefronts: three-letter countries; nil for all.
        case product(storeProductID: String, storefronts: [String]?)
    }

    /// The request to the store: its content, its author and its reason.
    package struct Request: Sendable, Hashable {
        /// 1 to 90.
        package var days: Int
        package var reasonCode: ExtensionReason
        package var act: RefundRequest.Act

        package init(days: Int, reasonCode: ExtensionReason, act: RefundRequest.Act) {
            self.days = days
            self.reasonCode = reasonCode
            self.act = act
        }
    }

    package enum State: Sendable, Hashable {
        /// On its way: a worker sends it, again and again until the store takes or refuses it.
        case sending
        /// The store works on the subscribers of a product.
        case running
        case succeeded(at: Date, Result)
        case refused(at: Date, code: Int64?, message: String)

        /// For programs, and what the database keeps.
        package var word: String {
            switch self {
            case .sending: "sending"
            case .running: "running"
            case .succeeded: "succeeded"
            case .refused: "refused"
            }
        }

        package var isFinished: Bool { finishedAt != nil }

        package var finishedAt: Date? {
            switch self {
            case .sending, .running: nil
            case .succeeded(let date, _), .refused(let date, _, _): date
            }
        }
    }

    package struct Result: Sendable, Hashable {
        /// The new renewal date of a single subscription, as the store reports it.
        package var renewsAt: Date?
        /// Of a product's subscribers.
        package var succeeded: Int64?
        package var failed: Int64?

        package init(renewsAt: Date? = nil, succeeded: Int64? = nil, failed: Int64? = nil) {
            self.renewsAt = renewsAt
            self.succeeded = succeeded
            self.failed = failed
        }
    }

    /// The time at which it became known: when it was requested, or when the store summed it up.
    package var startedAt: Date { request?.act.at ?? state.finishedAt ?? .distantPast }
}

/// The store's summary of an extension for a product's subscribers (Apple: `summary` of RENEWAL_EXTENSION).
package struct RenewalExtensionSummary: Sendable, Hashable {
    package var requestIdentifier: String
    package var storeProductID: String
    /// Three-letter countries; empty for all.
    package var storefronts: [String]
    package var succeeded: Int64
    package var failed: Int64
    /// The time at which the store signed it.
    package var completedAt: Date

    package init(
        requestIdentifier: String,
        storeProductID: String,
        storefronts: [String],
        succeeded: Int64,
        failed: Int64,
        completedAt: Date
    ) {
        self.requestIdentifier = requestIdentifier
        self.storeProductID = storeProductID
        self.storefronts = storefronts
        self.succeeded = succeeded
        self.failed = failed
        self.completedAt = completedAt
    }
}

/// A subscription that the store could not extend.
package struct RenewalExtensionFailure: Sendable, Hashable {
    package var id: UUID
    package var subscription: Subscription.ID
    package var originalTransactionID: String
    package var failedAt: Date
}
