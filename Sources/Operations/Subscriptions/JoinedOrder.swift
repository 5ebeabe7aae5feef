import Billing
import Foundation
import Gateways
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

    /// The orders that are to become void because nobody bought them here: seats that were assigned, and were booked when that was not told
    /// from a purchase. None has the purchase in its place. One about which people have decided waits for people.
    ///
    /// - Parameters:
    ///   - booked: the orders that the books still have.
    ///   - events: as the fold takes them.
    static func seats(
        _ orders: [StoredSubscription.StoredOrder],
        beside booked: [[StoredSubscription.StoredOrder]],
        among events: [StoreEvent]
    ) -> [Self] {
        let assigned = Set(events.filter { $0.transaction.isAssigned == true }.map(\.transaction.id))
        guard !assigned.isEmpty else { return [] }
        let kept = Set(booked.flatMap { $0.map(\.id) })
        return orders.filter { order in
            assigned.contains(order.transactionID) && !kept.contains(order.id) && order.refunds.isEmpty
        }.map { Self(id: $0.id, into: $0.id, transactionID: $0.transactionID) }
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

    /// Folds subscriptions once more whose books were made when a transaction id was a purchase, a refund was its date and a seat that was
    /// assigned was a purchase, so that what was booked twice, or of nobody's purchase, is void.
    func joinOrders(_ leased: LeasedJob) async throws -> JobProgress {
        let seats = try await tellSeats(of: leased.app)
        let events = try await database.readPrimary { reader in
            try await reader.screens.eventsToFoldAgain(of: leased.app)
        }
        for event in events {
            _ = try await apply(IncomingEvent(app: leased.app, event: event, origin: .reconciliation(nil)))
        }
        logger.info(
            "orders of one purchase are joined",
            metadata: ["subscriptions": "\(events.count)", "seats": "\(seats)"]
        )
        return try await end(leased)
    }

    /// Reads again what Apple said of booked transactions before seats were told from purchases, and applies what it says of seats that were
    /// assigned as an answer of the store.
    ///
    /// - Returns: the number of these.
    private func tellSeats(of app: App.ID) async throws -> Int {
        guard let gateway = gateways[.apple], let account = try await apps.entry(for: app)?.accounts[.apple] else {
            return 0
        }
        var (seats, last): (Int, UUID?) = (0, nil)
        while true {
            let page = try await database.readPrimary { [last] reader in
                try await reader.screens.payloadsBeforeSeats(of: app, after: last, limit: 200)
            }
            for kept in page {
                last = kept.id
                // A message that cannot be read any more says nothing of seats.
                guard case .event(var event)? = try? await gateway.resolve(kept.signedPayload, for: account),
                    event.transaction.isAssigned == true
                else { continue }
                (event.id, event.kind) = ("seat:\(event.id)", .observed)
                _ = try await apply(IncomingEvent(app: app, event: event, origin: .reconciliation(nil)))
                seats += 1  // safe: counts rows
            }
            guard page.count == 200 else { return seats }
        }
    }
}
