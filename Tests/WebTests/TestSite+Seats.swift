import Foundation
import Postgres

extension TestSite {
    static let group = "00000000-0000-7000-8000-000000000c01"
    static let groupMember = "00000000-0000-7000-8000-000000000c02"
    static let seat = "00000000-0000-7000-8000-000000000c03"

    /// Adds a group of four seats that the customer pays for, a member who has one, and a seat at the store that nobody here knows.
    func addSeat() async throws {
        try await pool.withConnection { connection in
            try await connection.execute(
                script: """
                    INSERT INTO customers (id, app_id, key, external_id, created_at)
                    VALUES ('\(Self.groupMember)', '\(Self.readmigo)', 'ben', 'ben', now());
                    INSERT INTO subscriptions
                        (id, app_id, customer_id, store, environment, original_transaction_id, state, product_id, transaction_id, started_at,
                         period_starts_at, period_ends_at, renews_automatically, seats, revoked_seats, seat_invitations, version, created_at, updated_at)
                    VALUES
                        ('\(Self.group)', '\(Self.readmigo)', '\(Self.customer)', 'apple', 'production', 'G1', 'active',
                         '00000000-0000-7000-8000-0000000000b1', 'G1', now(), now(), '9000-01-01', true, 4, 0, 'app', 1, now(), now());
                    INSERT INTO seat_claims
                        (id, app_id, store, environment, subscription_id, customer_id, store_claim_id, requested_at, requested_by, claimed_at)
                    VALUES
                        ('\(Self.seat)', '\(Self.readmigo)', 'apple', 'production', '\(Self.group)', '\(Self.groupMember)', 'c1', now(), 'readmigo (key Till)', now());
                    INSERT INTO unknown_seats (subscription_id, store_claim_id, app_id, first_seen_at)
                    VALUES ('\(Self.group)', 'stranger-1', '\(Self.readmigo)', now());
                    """
            )
        }
    }
}
