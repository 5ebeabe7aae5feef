import Billing
import Logging
import Storage

extension SubscriptionChanges.JoinedOrder {
    /// The orders that are to become void because one purchase has several, the one that stays first. One about which people have
    /// decided waits for people.
    static func doubles(_ orders: [StoredSubscription.StoredOrder]) -> [Self] {
        guard let kept = orders.first else { return [] }
        return orders.dropFirst().filter(\.refunds.isEmpty).map { double in
            Self(id: double.id, into: kept.id, transactionID: double.transactionID)
        }
    }
}

extension BackOffice {
    /// Writes down which orders are void since when, and where their purchase is booked.
    func audit(
        _ joined: [SubscriptionChanges.JoinedOrder],
        of app: App.ID,
        in transaction: WriteTransaction
    ) async throws {
        guard !joined.isEmpty else { return }
        let numbers = try await transaction.subscriptions.numbers(of: joined.flatMap { [$0.id, $0.into] })
        for order in joined {
            let entry = Caller(.clock(for: nil), actor: "perennial").entry(
                .joinOrders,
                on: "order",
                numbers[order.id] ?? order.id.description,
                app: app,
                after: AuditJSON([
                    ("joinedInto", numbers[order.into]), ("transactionId", order.transactionID),
                    ("status", OrderStatus.cancelled.rawValue),
                ]).text
            )
            try await transaction.audit.append(entry)
        }
    }

    /// Folds subscriptions once more whose books were made when a transaction id was a purchase and a refund was its date, so that
    /// what was booked twice is void.
    func joinOrders(_ leased: LeasedJob) async throws -> JobProgress {
        let events = try await database.readPrimary { reader in
            try await reader.screens.eventsToFoldAgain(of: leased.app)
        }
        for event in events {
            _ = try await apply(IncomingEvent(app: leased.app, event: event, origin: .reconciliation(nil)))
        }
        logger.info("orders of one purchase are joined", metadata: ["subscriptions": "\(events.count)"])
        return try await end(leased)
    }
}
