import Billing
import Foundation
import Postgres

/// The moments of a customer out of all tables, cut to a page: every branch gives the newest few of its own by an index,
/// so that a customer with 100,000 events costs the same as one with ten.
struct TimelineUnion {
    let customer: Customer.ID
    let now: Date
    let part: Timeline.Part
    let position: PagePosition

    enum Source: Int32 {
        case event = 1
        case charge = 2
        case movement = 3
        case staff = 4
        case firstSeen = 5
        case merger = 6
        case verification = 7
        case consentRescinded = 8
        case trialStarted = 21
        case trialEnded = 22
        case expiryReminder = 23
    }

    /// `source`, `at` and `id` of at most one page and one row more, in order.
    var page: Query {
        let first = branches[0]
        let union = branches.dropFirst().reduce("(\(first))") { union, branch in
            "\(union) UNION ALL (\(branch))" as Query
        }
        return """
            SELECT source, at, id
            FROM (\(union)) AS moments
            ORDER BY \(keyset("at", "id").order)
            \(limit)
            """
    }

    private var branches: [Query] {
        switch part {
        case .all:
            [
                events(onlyChanges: false), charges, refunds, credits, firstSeen, mergers, verifications,
                rescindedConsents, trialStarts, trialEnds, expiryReminders,
            ]
                + actions(onlyAccess: false)
        case .money: [charges, refunds, credits]
        case .access:
            [
                events(onlyChanges: true), firstSeen, mergers, verifications, rescindedConsents, trialStarts, trialEnds,
                expiryReminders,
            ]
                + actions(onlyAccess: true)
        case .staff: actions(onlyAccess: false)
        }
    }

    private func events(onlyChanges: Bool) -> Query {
        let keyset = keyset("e.signed_at", "e.id")
        // An event that tells of a charge stands on the charge's line, unless charges are not listed.
        let kept: Query =
            onlyChanges
            ? "e.state_before <> e.state_after"
            : """
            NOT EXISTS (
                SELECT FROM orders o
                WHERE o.customer_id = \(customer) AND \(ChargeEvents.tells("e", of: "o")))
            """
        return """
            SELECT \(source(.event)) AS source, newest.signed_at AS at, newest.id AS id
            FROM subscriptions s
            CROSS JOIN LATERAL (
                SELECT e.signed_at, e.id
                FROM subscription_events e
                WHERE e.subscription_id = s.id AND \(kept)\(keyset.condition)
                ORDER BY \(keyset.order)
                \(limit)
            ) AS newest
            WHERE s.customer_id = \(customer)
            ORDER BY \(self.keyset("newest.signed_at", "newest.id").order)
            \(limit)
            """
    }

    private var charges: Query {
        let keyset = keyset("o.purchased_at", "o.id")
        return """
            SELECT \(source(.charge)) AS source, o.purchased_at AS at, o.id AS id
            FROM orders o
            WHERE o.customer_id = \(customer)\(keyset.condition)
            ORDER BY \(keyset.order)
            \(limit)
            """
    }

    private var refunds: Query {
        movements("is_refund(t.kind)", ofOrdersWith: "o.has_refunds")
    }

    private var credits: Query {
        movements("is_upgrade_credit(t.kind)", ofOrdersWith: "o.superseded_at IS NOT NULL")
    }

    private func movements(_ kinds: Query, ofOrdersWith condition: Query) -> Query {
        let keyset = keyset("t.occurred_at", "t.id")
        return """
            SELECT \(source(.movement)), t.occurred_at, t.id
            FROM orders o
            JOIN ledger_entries t ON t.order_id = o.id
            WHERE o.customer_id = \(customer) AND \(condition) AND \(kinds)\(keyset.condition)
            ORDER BY \(keyset.order)
            \(limit)
            """
    }

    /// Staff's actions for the customer, and for those who were merged into them.
    private func actions(onlyAccess: Bool) -> [Query] {
        let keyset = keyset("a.at", "a.id")
        let access: Query = onlyAccess ? " AND a.object_type IN ('grant', 'subscription', 'customer')" : ""
        return [
            """
            SELECT \(source(.staff)) AS source, a.at AS at, a.id AS id
            FROM audit_entries a
            WHERE a.customer_id = \(customer)\(access)\(keyset.condition)
            ORDER BY \(keyset.order)
            \(limit)
            """,
            """
            SELECT \(source(.staff)) AS source, newest.at AS at, newest.id AS id
            FROM customers c
            CROSS JOIN LATERAL (
                SELECT a.at, a.id
                FROM audit_entries a
                WHERE a.customer_id = c.id\(access)\(keyset.condition)
                ORDER BY \(keyset.order)
                \(limit)
            ) AS newest
            WHERE c.merged_into = \(customer)
            ORDER BY \(self.keyset("newest.at", "newest.id").order)
            \(limit)
            """,
        ]
    }

    private var mergers: Query {
        let keyset = keyset("c.merged_at", "c.id")
        return """
            SELECT \(source(.merger)) AS source, c.merged_at AS at, c.id AS id
            FROM customers c
            WHERE c.merged_into = \(customer)\(keyset.condition)
            ORDER BY \(keyset.order)
            \(limit)
            """
    }

    /// The proofs of purchase that apps sent for the customer, also before a merge.
    private var verifications: Query {
        let keyset = keyset("v.requested_at", "v.id")
        return """
            SELECT \(source(.verification)) AS source, newest.requested_at AS at, newest.id AS id
            FROM customers c
            CROSS JOIN LATERAL (
                SELECT v.requested_at, v.id
                FROM purchase_verifications v
                WHERE v.customer_id = c.id\(keyset.condition)
                ORDER BY \(keyset.order)
                \(limit)
            ) AS newest
            WHERE c.id = \(customer) OR c.merged_into = \(customer)
            ORDER BY \(self.keyset("newest.requested_at", "newest.id").order)
            \(limit)
            """
    }

    private var firstSeen: Query {
        let keyset = keyset("c.created_at", "c.id")
        return """
            SELECT \(source(.firstSeen)), c.created_at, c.id
            FROM customers c
            WHERE c.id = \(customer)\(keyset.condition)
            """
    }

    private var trialStarts: Query {
        let keyset = keyset("g.starts_at", "g.id")
        return """
            SELECT \(source(.trialStarted)), g.starts_at, g.id
            FROM grants g
            WHERE g.customer_id = \(customer) AND g.kind = 'trial'\(keyset.condition)
            ORDER BY \(keyset.order)
            \(limit)
            """
    }

    /// Those that are over, also where nobody has ended them.
    private var trialEnds: Query {
        let keyset = keyset("least(g.ends_at, g.ended_at)", "g.id")
        return """
            SELECT \(source(.trialEnded)), least(g.ends_at, g.ended_at), g.id
            FROM grants g
            WHERE g.customer_id = \(customer) AND g.kind = 'trial' AND least(g.ends_at, g.ended_at) <= \(now)\(keyset.condition)
            ORDER BY \(keyset.order)
            \(limit)
            """
    }

    private var expiryReminders: Query {
        let keyset = keyset("r.recorded_at", "r.id")
        return """
            SELECT \(source(.expiryReminder)), r.recorded_at, r.id
            FROM subscriptions s
            JOIN expiry_reminders r ON r.subscription_id = s.id
            WHERE s.customer_id = \(customer)\(keyset.condition)
            ORDER BY \(keyset.order)
            \(limit)
            """
    }

    private var rescindedConsents: Query {
        let keyset = keyset("r.rescinded_at", "r.id")
        let found = Queries.rescindedConsents(
            of: customer,
            returning: "\(source(.consentRescinded)), r.rescinded_at, r.id",
            where: keyset.condition
        )
        return "\(found) ORDER BY \(keyset.order) \(limit)"
    }

    private func source(_ source: Source) -> Query { Query(unsafe: String(source.rawValue)) }

    private func keyset(_ moment: String, _ id: String) -> KeysetClauses {
        KeysetClauses(columns: (moment, id), direction: .descending, position: position) { "\($0.date)" }
    }

    private var limit: Query { Query(unsafe: "LIMIT \(ListPageSize.fetched)") }
}
