package import Billing
package import Foundation

/// That staff had a store put off a renewal: of one subscription, or of all who subscribe to a product.
package struct ExtensionRequest: Sendable, Hashable, Identifiable {
    package typealias ID = Identifier<ExtensionRequest>

    /// Names it at the store, too.
    package var id: ID
    package var app: App.ID
    package var store: Store
    package var environment: StoreEnvironment
    package var target: Target
    /// 1 to 90.
    package var days: Int
    package var reasonCode: ExtensionReason
    package var reason: Personal<String>
    package var requested: RefundRequest.Act
    package var state: State

    package init(
        id: ID,
        app: App.ID,
        store: Store,
        environment: StoreEnvironment,
        target: Target,
        days: Int,
        reasonCode: ExtensionReason,
        reason: Personal<String>,
        requested: RefundRequest.Act,
        state: State = .sending
    ) {
        self.id = id
        self.app = app
        self.store = store
        self.environment = environment
        self.target = target
        self.days = days
        self.reasonCode = reasonCode
        self.reason = reason
        self.requested = requested
        self.state = state
    }

    package enum Target: Sendable, Hashable {
        case subscription(Subscription.ID, originalTransactionID: String)
        /// - Parameter storefronts: three-letter countries; nil for all.
        case product(ProductRecord.ID, storeProductID: String, storefronts: [String]?)
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

        package var isFinished: Bool {
            switch self {
            case .sending, .running: false
            case .succeeded, .refused: true
            }
        }
    }

    package struct Result: Sendable, Hashable {
        /// When one subscription renews now, as the store says.
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
}
