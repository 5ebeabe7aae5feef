package import Billing
package import Foundation
package import Gateways
import Synchronization

/// Answers verifyReceipt for both environments as Apple does, from the receipts and the purchases made since.
///
/// It checks a receipt by its signature; `say` prepares any status, and `speakAsForIOS6` the shapes of older apps.
package final class SimulatedVerifyReceipt: Sendable {
    private let app: AppleConfiguration
    private let sharedSecret: String?
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    /// - Parameters:
    ///   - app: the app whose receipts it knows, with the anchor that they end at.
    ///   - sharedSecret: the value that `password` must have; nil where none is asked for.
    package init(
        for app: AppleConfiguration,
        sharedSecret: String?,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.app = app
        self.sharedSecret = sharedSecret
        self.now = now
    }

    /// The endpoints of the simulated store: production under its own address, the sandbox under `/sandbox`.
    package var endpoints: [SimulatedEndpoint] {
        [(StoreEnvironment.production, "/verifyReceipt"), (.sandbox, "/sandbox/verifyReceipt")].map {
            environment,
            path in
            SimulatedEndpoint("POST", path) { [self] request in answer(request.body, in: environment) }
        }
            + ["/verifyReceipt", "/sandbox/verifyReceipt"].map { path in
                // A request that is no POST has its own status.
                SimulatedEndpoint("GET", path) { _ in Self.response(["status": 21_000]) }
            }
    }

    /// Gives this answer to the next request in an environment, whatever the receipt; several wait in line.
    package func say(_ answer: Answer, in environment: StoreEnvironment) {
        state.withLock { $0.waiting[environment, default: []].append(answer) }
    }

    /// Adds purchases and renewals, of any customer, since the receipts were made. Apple's newest list then has those of the
    /// receipt.
    package func know(_ purchases: [AppleReceiptPurchase], _ renewals: [SimulatedPendingRenewal] = []) {
        state.withLock { state in
            for purchase in purchases {
                state.purchases[purchase.originalTransactionID, default: [:]][purchase.transactionID] = purchase
            }
            for renewal in renewals { state.renewals[renewal.originalTransactionID] = renewal }
        }
    }

    /// Adds the purchases and renewals of notifications, in the order of signing.
    package func know(_ notifications: [SimulatedNotification]) {
        know(notifications.purchases, notifications.pendingRenewals)
    }

    /// Answers in the shapes of apps for iOS 6: one object in place of a list.
    package func speakAsForIOS6(_ isOld: Bool = true) {
        state.withLock { $0.speaksAsForIOS6 = isOld }
    }

    /// The number of requests to each environment.
    package var asked: [StoreEnvironment: Int] {
        state.withLock { $0.asked }
    }

    /// A prepared answer.
    package enum Answer: Hashable, Sendable {
        /// A status, and Apple's flag for a retry: documented as `is_retryable`, sent as `is-retryable`.
        case status(Int64, retryable: JSON? = nil, member: String = "is-retryable")
        /// A status from something in front of Apple's program, with a page as its body.
        case http(Int)
        /// Any body.
        case body(JSON)
    }

    private struct State {
        var waiting: [StoreEnvironment: [Answer]] = [:]
        /// Purchases as they stand now, by original transaction and then by transaction.
        var purchases: [String: [String: AppleReceiptPurchase]] = [:]
        /// Renewals by original transaction.
        var renewals: [String: SimulatedPendingRenewal] = [:]
        var speaksAsForIOS6 = false
        var asked: [StoreEnvironment: Int] = [:]
    }

    private func answer(_ body: Data, in environment: StoreEnvironment) -> StoreResponse {
        let prepared: Answer? = state.withLock { state in
            state.asked[environment, default: 0] += 1
            guard state.waiting[environment]?.isEmpty == false else { return nil }
            return state.waiting[environment]?.removeFirst()
        }
        switch prepared {
        case .status(let status, let retryable, let member):
            var answer: JSON = ["status": .integer(status), "environment": .string(Self.name(environment))]
            answer[member] = retryable
            return Self.response(answer)
        case .http(let status): return StoreResponse(status: status, body: Data("<html>".utf8))
        case .body(let body): return Self.response(body)
        case nil: return Self.response(judged(body, in: environment))
        }
    }

    private func judged(_ body: Data, in environment: StoreEnvironment) -> JSON {
        guard let request = try? JSON(parsing: Array(body)), let text = request["receipt-data"]?.string else {
            return ["status": 21_002]
        }
        let receipt: AppleReceipt
        do {
            receipt = try AppleReceiptVerifier().verify(text, for: app, at: now())
        } catch {
            switch error.code {
            case .malformed, .missing: return ["status": 21_002]
            // Somebody else's receipt: their secret is not ours.
            case .wrongApp: return ["status": 21_004]
            default: return ["status": 21_003]
            }
        }
        if let sharedSecret, request["password"]?.string != sharedSecret { return ["status": 21_004] }
        switch (receipt.environment, environment) {
        case (.sandbox, .production): return ["status": 21_007]
        case (.production, .sandbox): return ["status": 21_008]
        default: break
        }
        let excludesOld = request["exclude-old-transactions"] == .bool(true)
        let originals = Set(receipt.purchases.map(\.originalTransactionID)).sorted()
        return state.withLock { state in
            let answer = VerifyReceiptBody(
                receipt: receipt,
                text: text,
                later: originals.flatMap { state.purchases[$0].map { Array($0.values) } ?? [] },
                renewals: originals.compactMap { state.renewals[$0] },
                excludesOld: excludesOld,
                now: now()
            )
            return state.speaksAsForIOS6 ? answer.asForIOS6 : answer.json
        }
    }

    private static func response(_ json: JSON) -> StoreResponse {
        StoreResponse(status: 200, headers: ["content-type": "application/json"], body: Data(json.bytes))
    }

    private static func name(_ environment: StoreEnvironment) -> String {
        switch environment {
        case .production: "Production"
        case .sandbox: "Sandbox"
        }
    }
}

/// The pending renewal of a subscription, as verifyReceipt tells it.
package struct SimulatedPendingRenewal: Hashable, Sendable {
    package var originalTransactionID: String
    package var productID: String
    package var nextProductID: String
    package var renewsAutomatically: Bool
    /// Apple's 1 to 5, once the subscription has expired.
    package var expirationIntent: Int64?
    package var isInBillingRetry: Bool?
    package var gracePeriodExpiresDate: Date?

    package init(
        originalTransactionID: String,
        productID: String,
        nextProductID: String? = nil,
        renewsAutomatically: Bool,
        expirationIntent: Int64? = nil,
        isInBillingRetry: Bool? = nil,
        gracePeriodExpiresDate: Date? = nil
    ) {
        self.originalTransactionID = originalTransactionID
        self.productID = productID
        self.nextProductID = nextProductID ?? productID
        self.renewsAutomatically = renewsAutomatically
        self.expirationIntent = expirationIntent
        self.isInBillingRetry = isInBillingRetry
        self.gracePeriodExpiresDate = gracePeriodExpiresDate
    }
}
