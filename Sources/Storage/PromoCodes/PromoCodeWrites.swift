package import Billing
package import Foundation
import Postgres

extension WriteTransaction {
    package var promoCodes: PromoCodeWrites { PromoCodeWrites(transaction: self) }
}

/// A customer's earlier redemption of a batch.
package struct EarlierPromoRedemption: Sendable, Hashable {
    package var codeNumber: Int
    /// The ordinal of the redemption among the customer's of the batch, from 1.
    package var customerNumber: Int
    package var redeemedAt: Date
    package var grantStartsAt: Date
    package var grantEndsAt: Date?
}

/// A redemption to be written.
package struct NewPromoRedemption: Sendable {
    package var id: PromoRedemption.ID
    package var place: PromoCodePlace
    /// The ordinal of the redemption among the code's, from 1.
    package var useNumber: Int
    package var customer: Customer.ID
    /// The ordinal of the redemption among the customer's of the batch, from 1.
    package var customerNumber: Int
    package var grant: Grant.ID

    package init(
        id: PromoRedemption.ID,
        place: PromoCodePlace,
        useNumber: Int,
        customer: Customer.ID,
        customerNumber: Int,
        grant: Grant.ID
    ) {
        self.id = id
        self.place = place
        self.useNumber = useNumber
        self.customer = customer
        self.customerNumber = customerNumber
        self.grant = grant
    }
}

package struct PromoCodeWrites: Sendable {
    let transaction: WriteTransaction

    /// Keeps a new batch without its codes.
    ///
    /// - Returns: false where the app has no such plan.
    package func insert(_ batch: PromoBatch, by staff: Staff.ID?) async throws -> Bool {
        let terms = batch.terms
        return try await transaction.query(
            """
            INSERT INTO promo_batches
                (id, app_id, name, channel, plan_id, days, code_count, uses_per_code, uses_per_customer, starts_at, expires_at,
                 created_by, created_as, created_at)
            SELECT \(batch.id), \(batch.app), \(batch.name), \(batch.channel), p.id, \(terms.days, as: Int32.self),
                \(batch.codeCount, as: Int32.self), \(terms.usesPerCode, as: Int32.self),
                \(terms.usesPerCustomer, as: Int32.self), \(terms.startsAt), \(terms.expiresAt), \(staff),
                \(batch.createdAs), \(batch.createdAt)
            FROM plans p
            WHERE p.app_id = \(batch.app) AND p.code = \(terms.plan.code)
            """
        ).affectedRows == 1
    }

    /// Keeps codes of a batch.
    ///
    /// - Parameters:
    ///   - first: the number of the first.
    ///   - hashes: of 32 bytes each, one behind the other.
    package func insertCodes(of batch: PromoBatch, from first: Int, hashes: [UInt8]) async throws {
        let count = hashes.count / 32
        _ = try await transaction.query(
            """
            INSERT INTO promo_codes (batch_id, number, code_hash, max_uses)
            SELECT \(batch.id), \(first, as: Int32.self) + n, substring(\(hashes) FROM n * 32 + 1 FOR 32),
                \(batch.terms.usesPerCode, as: Int32.self)
            FROM generate_series(0, \(count, as: Int32.self) - 1) AS n
            """
        )
    }

    /// A batch, and how often one of its codes was redeemed. Nobody stops the batch or redeems the code until the transaction ends.
    package func share(_ place: PromoCodePlace, of app: App.ID) async throws -> (batch: PromoBatch, uses: Int)? {
        let rows = try await transaction.lock(
            """
            SELECT \(PromoBatch.columns), c.uses
            FROM \(PromoBatch.source)
            JOIN promo_codes c ON c.batch_id = b.id AND c.number = \(place.number, as: Int32.self)
            WHERE b.id = \(place.batch) AND b.app_id = \(app)
            FOR SHARE OF b FOR NO KEY UPDATE OF c
            """
        )
        guard var columns = try rows.first?.columns(PromoBatch.columnCount + 1) else { return nil }
        return (batch: try PromoBatch(&columns), uses: try columns.next())
    }

    /// A customer's redemptions of a batch, including those of customers merged into them.
    package func earlier(of batch: PromoBatch.ID, by customer: Customer.ID) async throws -> [EarlierPromoRedemption] {
        try await transaction.query(
            """
            SELECT r.code_number, r.customer_number, r.redeemed_at, g.starts_at, g.ends_at
            FROM promo_redemptions r
            JOIN grants g ON g.id = r.grant_id
            WHERE r.batch_id = \(batch)
                AND r.customer_id IN (SELECT id FROM customers WHERE id = \(customer) OR merged_into = \(customer))
            ORDER BY r.redeemed_at
            """
        ).map { row in
            var columns = try row.columns(5)
            return EarlierPromoRedemption(
                codeNumber: try columns.next(),
                customerNumber: try columns.next(),
                redeemedAt: try columns.next(),
                grantStartsAt: try columns.next(),
                grantEndsAt: try columns.next()
            )
        }
    }

    /// Takes one use of a code, and keeps everybody else from the code until the transaction ends.
    ///
    /// - Returns: which use it is; nil when none is left.
    package func use(_ place: PromoCodePlace) async throws -> Int? {
        try await transaction.query(
            """
            UPDATE promo_codes
            SET uses = uses + 1
            WHERE batch_id = \(place.batch) AND number = \(place.number, as: Int32.self) AND uses < max_uses
            RETURNING uses
            """
        ).first?.decode(0, as: Int.self)
    }

    package func insert(_ redemption: NewPromoRedemption) async throws {
        _ = try await transaction.query(
            """
            INSERT INTO promo_redemptions
                (id, batch_id, code_number, use_number, customer_id, customer_number, grant_id, redeemed_at)
            VALUES
                (\(redemption.id), \(redemption.place.batch), \(redemption.place.number, as: Int32.self),
                 \(redemption.useNumber, as: Int32.self), \(redemption.customer),
                 \(redemption.customerNumber, as: Int32.self), \(redemption.grant), \(transaction.now))
            """
        )
    }

    /// - Parameter actor: the name of the person who stops it.
    /// - Returns: false where it is stopped already, or the app has none.
    package func stop(_ batch: PromoBatch.ID, of app: App.ID, as actor: String) async throws -> Bool {
        try await transaction.query(
            """
            UPDATE promo_batches
            SET stopped_at = \(transaction.now), stopped_as = \(actor)
            WHERE id = \(batch) AND app_id = \(app) AND stopped_at IS NULL
            """
        ).affectedRows == 1
    }

    /// - Returns: false where it is not stopped, or the app has none.
    package func resume(_ batch: PromoBatch.ID, of app: App.ID) async throws -> Bool {
        try await transaction.query(
            """
            UPDATE promo_batches
            SET stopped_at = NULL, stopped_as = NULL
            WHERE id = \(batch) AND app_id = \(app) AND stopped_at IS NOT NULL
            """
        ).affectedRows == 1
    }
}
