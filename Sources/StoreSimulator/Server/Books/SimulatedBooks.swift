import Billing
package import Foundation
package import Gateways

/// The books of the simulated App Store about one app in one environment.
struct SimulatedBooks: Sendable {
    let environment: StoreEnvironment
    let bundleID: String
    let appAppleID: Int64
    var transactions: [String: Entry] = [:]
    /// By original transaction id.
    var subscriptions: [String: Subscription] = [:]
    /// Transaction ids by customer.
    var purchases: [String: [String]] = [:]
    private(set) var sendings: [SimulatedSending] = []
    /// Positions of those that wait for an attempt; not of one that is under way.
    private var waiting: [Int] = []
    /// Whatever page of the history has this notification is cut.
    var spoiled: UUID?
    /// Positions in `sendings` by the token that asked for them.
    var tests: [String: Int] = [:]
    var extensions: [String: JSON] = [:]
    var massExtensions: [MassExtension] = []
    /// By original transaction id.
    var seatClaims: [String: [SeatClaim]] = [:]
    /// The group that those with a seat are in, by original transaction id.
    var seatGroups: [String: String] = [:]
    var consumptions: [SimulatedConsumption] = []
    var finished: Set<String> = []
    /// Earlier places in the list of notifications are refused as expired.
    var paginationGeneration: Int64 = 0
    private var customers: [String: String] = [:]

    init(environment: StoreEnvironment, bundleID: String, appAppleID: Int64) {
        self.environment = environment
        self.bundleID = bundleID
        self.appAppleID = appAppleID
    }

    /// A transaction as it stands now, with the date of its last change.
    struct Entry: Sendable {
        var payload: JSON
        var changedAt: Date
        let customer: String

        var id: String { payload["transactionId"]?.string ?? "" }
        var originalID: String { payload["originalTransactionId"]?.string ?? id }
        var purchaseDate: Date { payload["purchaseDate"]?.date ?? .distantPast }
        var isSubscription: Bool { payload["type"]?.string == "Auto-Renewable Subscription" }
        var isFamilyShared: Bool { payload["inAppOwnershipType"]?.string == "FAMILY_SHARED" }
    }

    struct Subscription: Sendable {
        var renewal: JSON?
        var status: Int64
        var changedAt: Date
        var extendedAt: [Date] = []
    }

    struct MassExtension: Sendable {
        let requestIdentifier: String
        let productID: String
        let completedAt: Date
        let succeeded: Int64
        let failed: Int64
    }

    /// The name of the environment in what is signed.
    var environmentName: String { environment == .sandbox ? "Sandbox" : "Production" }

    /// Takes down what happened, and that it is told; what is older than what is known changes nothing.
    mutating func record(_ message: SimulatedMessage, as delivery: SimulatedDelivery, at now: Date) {
        let customer = message.transaction.flatMap { record($0, of: message) }
        if let transaction = message.transaction, let id = transaction["originalTransactionId"]?.string {
            record(message.renewal, status: message.status, of: id, at: message.signedDate)
        }
        send(message, of: customer, as: delivery, at: now)
    }

    mutating func send(_ message: SimulatedMessage, of customer: String?, as delivery: SimulatedDelivery, at now: Date)
    {
        var sending = SimulatedSending(message: message, customer: customer)
        switch delivery {
        case .arrived: sending.record(.success, at: message.signedDate)
        case .lost:
            sending.dueAt = message.signedDate
            while let due = sending.dueAt, due <= now { sending.record(.noResponse, at: due) }
        case .due: sending.dueAt = message.signedDate
        }
        if sending.dueAt != nil { waiting.append(sendings.count) }
        sendings.append(sending)
    }

    /// The position of what is to be sent now, which nobody else then takes.
    mutating func takeDue(at now: Date) -> Int? {
        let isDue = { [sendings] (position: Int) in sendings[position].dueAt.map { $0 <= now } ?? false }
        return waiting.firstIndex(where: isDue).map { waiting.remove(at: $0) }
    }

    /// Takes down what became of an attempt.
    mutating func record(_ result: AppleSentNotification.Result, of position: Int, at date: Date) {
        sendings[position].record(result, at: date)
        if sendings[position].dueAt != nil { waiting.append(position) }
    }

    /// The newest transaction of a subscription.
    func latest(of originalID: String) -> Entry? {
        let customer = customers[originalID] ?? ""
        return (purchases[customer] ?? []).compactMap { transactions[$0] }
            .filter { $0.originalID == originalID }
            .max { ($0.purchaseDate, $0.id) < ($1.purchaseDate, $1.id) }
    }

    /// The customer's, in the order of their last changes.
    func transactions(of customer: String) -> [Entry] {
        (purchases[customer] ?? []).compactMap { transactions[$0] }
            .sorted { ($0.changedAt, $0.id) < ($1.changedAt, $1.id) }
    }

    /// Changes a transaction, which thereby moves to the end of its customer's history.
    mutating func change(_ id: String, at now: Date, _ change: (inout JSON) -> Void) {
        guard var entry = transactions[id] else { return }
        change(&entry.payload)
        entry.changedAt = now
        transactions[id] = entry
    }

    private mutating func record(_ transaction: JSON, of message: SimulatedMessage) -> String? {
        guard let id = transaction["transactionId"]?.string else { return nil }
        let originalID = transaction["originalTransactionId"]?.string ?? id
        // The Apple account stays the same, whichever account of the app a purchase is given to.
        let customer = customers[originalID] ?? transaction["appAccountToken"]?.string ?? originalID
        customers[originalID] = customer
        if message.subtype == "UPGRADE" { supersede(before: transaction, of: originalID, at: message.signedDate) }
        guard let known = transactions[id] else {
            purchases[customer, default: []].append(id)
            transactions[id] = Entry(payload: transaction, changedAt: message.signedDate, customer: customer)
            return customer
        }
        guard message.signedDate >= known.changedAt else { return customer }
        var payload = transaction
        // A transaction that was upgraded stays so.
        if known.payload["isUpgraded"] == true { payload["isUpgraded"] = true }
        transactions[id] = Entry(payload: payload, changedAt: message.signedDate, customer: customer)
        return customer
    }

    private mutating func record(_ renewal: JSON?, status: Int64?, of originalID: String, at date: Date) {
        guard renewal != nil || status != nil else { return }
        var subscription =
            subscriptions[originalID] ?? Subscription(renewal: nil, status: 1, changedAt: .distantPast)
        guard date >= subscription.changedAt else { return }
        subscription.renewal = renewal ?? subscription.renewal
        subscription.status = status ?? subscription.status
        subscription.changedAt = date
        subscriptions[originalID] = subscription
    }

    private mutating func supersede(before transaction: JSON, of originalID: String, at date: Date) {
        guard let old = latest(of: originalID), old.id != transaction["transactionId"]?.string else { return }
        change(old.id, at: date) { $0["isUpgraded"] = true }
    }
}

/// The consumption information that an app gave about a purchase whose refund was asked for.
package struct SimulatedConsumption: Hashable, Sendable {
    package let transactionID: String
    package let body: JSON
    package let receivedAt: Date
}
