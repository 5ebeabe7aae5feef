package import Foundation

/// The facts about a customer that may be signs of fraud; `signals` judges them.
package struct FraudFacts: Hashable, Sendable {
    /// The account tokens of this customer: one, and those of records that turned out to be theirs.
    package var accountTokens: Set<UUID>
    package var accountHistories: [AccountHistory]
    /// Paid orders, and those of them that were refunded.
    package var orders: Int
    package var refundedOrders: Int
    /// Original transactions that both this customer and another one claim.
    package var refusedClaims: [String]
    /// Original transactions that went from an account to a device, as the app's setting says.
    package var transferredPurchases: [String]
    /// Providers whose account two identified customers say is theirs.
    package var refusedIdentities: [AuthProvider]
    /// Transactions of which the store told under two original ids, of this customer's and of another's subscription.
    package var disputedTransactions: [String]
    /// Numbers of orders of which more was paid back than was charged.
    package var paidBackTwice: [String]
    /// The times at which the plan was changed, or a change was scheduled or cancelled.
    package var planChanges: [Date]

    package init(
        accountTokens: Set<UUID> = [],
        accountHistories: [AccountHistory] = [],
        orders: Int = 0,
        refundedOrders: Int = 0,
        refusedClaims: [String] = [],
        transferredPurchases: [String] = [],
        refusedIdentities: [AuthProvider] = [],
        disputedTransactions: [String] = [],
        paidBackTwice: [String] = [],
        planChanges: [Date] = []
    ) {
        self.accountTokens = accountTokens
        self.accountHistories = accountHistories
        self.orders = orders
        self.refundedOrders = refundedOrders
        self.refusedClaims = refusedClaims
        self.transferredPurchases = transferredPurchases
        self.refusedIdentities = refusedIdentities
        self.disputedTransactions = disputedTransactions
        self.paidBackTwice = paidBackTwice
        self.planChanges = planChanges
    }

    /// The account tokens that came with the purchases of one original transaction, the latest first.
    package struct AccountHistory: Hashable, Sendable {
        package var originalTransactionID: String
        package var accountTokens: [UUID]

        package init(originalTransactionID: String, accountTokens: [UUID]) {
            self.originalTransactionID = originalTransactionID
            self.accountTokens = accountTokens
        }
    }

    /// The signs of fraud, the most serious first; empty if there are none.
    package var signals: [FraudSignal] {
        paidBackTwice.map { .paidBackTwice($0) } + disputedTransactions.map { .disputedTransaction($0) }
            + refusedClaims.map { .refusedClaim($0) } + transferredPurchases.map { .transferredPurchase($0) }
            + refusedIdentities.map { .refusedIdentity($0) } + sharedPurchases
            + foreignAccounts + refundSignals + changeSignals
    }

    private var sharedPurchases: [FraudSignal] {
        accountHistories.compactMap { history in
            let others = Set(history.accountTokens).subtracting(accountTokens)
            let accounts = others.count + (others.count < Set(history.accountTokens).count ? 1 : 0)
            return accounts > 1 ? .severalAccounts(history.originalTransactionID, accounts: accounts) : nil
        }
    }

    private var foreignAccounts: [FraudSignal] {
        guard !accountTokens.isEmpty else { return [] }
        return accountHistories.compactMap { history in
            guard let latest = history.accountTokens.first, !accountTokens.contains(latest) else { return nil }
            return .foreignAccount(history.originalTransactionID)
        }
    }

    private var refundSignals: [FraudSignal] {
        guard refundedOrders >= FraudSignal.fewestRefunds, orders > 0,
            refundedOrders * 100 >= orders * FraudSignal.refundPercent
        else { return [] }
        return [.manyRefunds(refundedOrders, of: orders)]
    }

    private var changeSignals: [FraudSignal] {
        let days = planChanges.sorted()
        let busiest =
            days.indices.map { first in
                days[first...].prefix { $0 < days[first] + FraudSignal.changeWindow }.count
            }.max() ?? 0
        return busiest >= FraudSignal.fewestChanges ? [.rapidChanges(busiest)] : []
    }
}

/// Something unusual about a customer, for people to look at; nothing is decided by it.
package enum FraudSignal: Hashable, Sendable {
    /// Of an order more was paid back than was charged: by us, and by the store.
    case paidBackTwice(String)
    /// The store told of one transaction under two original ids; its order is of the one that came first.
    case disputedTransaction(String)
    /// Another customer has, or wants, this customer's purchase of an original transaction.
    case refusedClaim(String)
    /// A purchase of an original transaction went from an account to a device.
    case transferredPurchase(String)
    /// Another identified customer signs in, or tried to, with this customer's account at a provider, or the other way round.
    case refusedIdentity(AuthProvider)
    /// One original transaction was used by several accounts of the app.
    case severalAccounts(String, accounts: Int)
    /// The latest purchase of an original transaction names another account than this customer's.
    case foreignAccount(String)
    /// At least two refunds, and for three paid orders in ten.
    case manyRefunds(Int, of: Int)
    /// Three changes of plan or more within 30 days.
    case rapidChanges(Int)

    static let fewestRefunds = 2
    static let refundPercent = 30
    static let fewestChanges = 3
    static let changeWindow: TimeInterval = 30 * 86_400
}
