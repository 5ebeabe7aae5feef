package import Billing
package import Foundation
import Postgres

/// That a customer lets us tell their store how they used what they bought, or takes that back.
package struct ConsumptionConsent: Sendable, Hashable {
    package var isGiven: Bool
    package var source: Source
    package var staff: Staff.ID?
    /// The name as it was then.
    package var actor: String
    package var at: Date
    package var reason: Personal<String>?

    package init(
        isGiven: Bool,
        source: Source,
        staff: Staff.ID?,
        actor: String,
        at: Date,
        reason: Personal<String>? = nil
    ) {
        self.isGiven = isGiven
        self.source = source
        self.staff = staff
        self.actor = actor
        self.at = at
        self.reason = reason
    }

    /// The party that recorded it. The database keeps the raw values.
    package enum Source: String, Sendable, Codable, CaseIterable {
        /// For its customer, who answered there.
        case app
        case staff
    }
}

extension ConsumptionConsent.Source: PostgresEncodable, PostgresDecodable {}

extension WriteTransaction {
    package var consents: ConsumptionConsentWrites { ConsumptionConsentWrites(transaction: self) }
}

package struct ConsumptionConsentWrites: Sendable {
    let transaction: WriteTransaction

    /// Locks a customer; what is recorded for them at the same time waits.
    ///
    /// - Returns: false when the app has none of that id, or their record has ended in another's.
    package func lock(_ customer: Customer.ID, of app: App.ID) async throws -> Bool {
        try await !transaction.lock(
            """
            SELECT 1 FROM customers
            WHERE id = \(customer) AND app_id = \(app) AND merged_into IS NULL
            FOR NO KEY UPDATE
            """
        ).isEmpty
    }

    /// The customer whom an account token or an id names by now, locked; nil when the app has none.
    package func lock(token id: UUID, of app: App.ID) async throws -> Customer.ID? {
        // A customer who was merged while this waited for the lock is another one in the next round.
        while let customer = try await transaction.query(ConsumptionConsent.customer(id, of: app)).first?
            .decode(0, as: Customer.ID.self)
        {
            if try await lock(customer, of: app) { return customer }
        }
        return nil
    }

    /// The current consent; nil where none was ever recorded.
    package func current(of customer: Customer.ID) async throws -> ConsumptionConsent? {
        try await transaction.query(ConsumptionConsent.query(of: customer)).first.map(ConsumptionConsent.init(row:))
    }

    package func record(_ consent: ConsumptionConsent, of customer: Customer.ID) async throws {
        try await transaction.query(
            """
            INSERT INTO consumption_consents
                (id, customer_id, is_given, source, recorded_by, recorded_as, recorded_at, reason)
            VALUES
                (\(transaction.newUUID()), \(customer), \(consent.isGiven), \(consent.source), \(consent.staff),
                 \(consent.actor), \(consent.at), \(consent.reason))
            """
        )
    }

    /// Has stores answered in the customer's cases that they still wait for us in: now where somebody decided, else when the app's
    /// rules do.
    package func answerCases(of customer: Customer.ID, app: App.ID) async throws {
        let cases = try await answerableCases(of: customer)
        guard !cases.isEmpty else { return }
        let policy = try await transaction.refunds.consumptionPolicy(of: app)
        for open in cases {
            let moment =
                open.isDecided ? transaction.now : policy.answersAt(open.dueAt, askedAt: open.requestedAt)
            try await transaction.jobs.enqueue(
                .consumptionAnswer,
                for: open.id.uuid,
                of: app,
                at: max(moment, transaction.now),
                maxAttempts: ConsumptionAnswer.maxAttempts
            )
        }
    }

    /// The customer's cases that a store can still be answered about: their ids, and whether somebody decided.
    private func answerableCases(of customer: Customer.ID) async throws -> [AnswerableCase] {
        try await transaction.query(
            """
            SELECT r.id, r.status <> 'pending', r.consumption_requested_at, r.consumption_due_at
            FROM refund_requests r
            JOIN orders o ON o.id = r.order_id
            WHERE o.customer_id = \(customer) AND r.consumption_due_at > \(transaction.now)
                AND r.store_declined_at IS NULL AND r.store_refunded_at IS NULL
                AND r.status IN ('pending', 'approved', 'rejected')
            """
        ).map { row in
            let (id, isDecided, requestedAt, dueAt) = try row.decode(Refund.ID.self, Bool.self, Date.self, Date.self)
            return AnswerableCase(id: id, isDecided: isDecided, requestedAt: requestedAt, dueAt: dueAt)
        }
    }
}

/// A case that its store can still be answered about.
private struct AnswerableCase {
    var id: Refund.ID
    var isDecided: Bool
    var requestedAt: Date
    var dueAt: Date
}

extension Queries {
    /// The customer whom an account token or an id names by now; nil when the app has none.
    package func customer(token id: UUID, of app: App.ID) async throws -> Customer.ID? {
        try await reader.query(ConsumptionConsent.customer(id, of: app)).first?.decode(0, as: Customer.ID.self)
    }

    /// nil where nothing was ever said.
    func consumptionConsent(of customer: Customer.ID) async throws -> ConsumptionConsent? {
        try await reader.query(ConsumptionConsent.query(of: customer)).first.map(ConsumptionConsent.init(row:))
    }
}

extension ConsumptionConsent {
    /// The id of the customer whom an app names by account token or by our id.
    fileprivate static func customer(_ id: UUID, of app: App.ID) -> Query {
        """
        SELECT coalesce(merged_into, id)
        FROM customers
        WHERE app_id = \(app) AND (app_account_token = \(id) OR id = \(id))
        ORDER BY (app_account_token = \(id)) DESC NULLS LAST
        LIMIT 1
        """
    }

    static func query(of customer: Customer.ID) -> Query {
        """
        SELECT is_given, source, recorded_by, recorded_as, recorded_at, reason
        FROM consumption_consents
        WHERE customer_id = \(customer)
        ORDER BY recorded_at DESC, id DESC
        LIMIT 1
        """
    }

    init(row: Row) throws {
        let (isGiven, source, staff, actor, at, reason) = try row.decode(
            Bool.self,
            Source.self,
            Staff.ID?.self,
            String.self,
            Date.self,
            Personal<String>?.self
        )
        self.init(isGiven: isGiven, source: source, staff: staff, actor: actor, at: at, reason: reason)
    }
}
