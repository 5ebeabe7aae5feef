import Postgres
import TestSupport
import Testing

/// Lists the columns that hold personal data. Such a column leaves `Storage` as `Personal`, or its statement leaves it in the
/// database where the reader may not have it (`SavedViewReads`), or its text never leaves it.
@Suite("Personal columns") struct PersonalColumnsTests {
    private struct Table {
        var personal: Set<String> = []
        var notPersonal: Set<String> = []
    }

    /// Every column of these tables that could hold text. Staff are named by their work address, which is no secret among them.
    private static let tables: [String: Table] = [
        "app_keys": Table(notPersonal: ["name", "scopes", "token_hash", "created_as", "revoked_as"]),
        "audit_entries": Table(
            personal: ["before", "after", "reason", "address"],
            notPersonal: ["actor", "role", "action", "object_type", "object_id", "request_id"]
        ),
        "bill_differences": Table(
            personal: ["note"],
            notPersonal: [
                "store", "environment", "kind", "key", "order_number", "transaction_id", "refund_number", "currency",
                "close_reason", "noted_by",
            ]
        ),
        "bill_rows": Table(
            notPersonal: [
                "store", "environment", "kind", "order_number", "transaction_id", "refund_number", "currency",
            ]
        ),
        "daily_bills": Table(notPersonal: ["store", "environment", "state", "unreadable", "problem"]),
        "bulk_jobs": Table(
            personal: ["reason", "origin"],
            notPersonal: ["kind", "state", "origin_list"]
        ),
        "bulk_job_items": Table(
            personal: ["input"],
            notPersonal: ["state", "rejection_reason", "plan_before", "plan_after"]
        ),
        // The hash tells two payers apart, and who neither is.
        "checkouts": Table(
            personal: ["client_address", "payer_mask"],
            notPersonal: [
                "store", "environment", "method", "number", "description", "basis", "currency", "state", "close_reason",
                "invocation", "last_failure", "transaction_id", "payer_hash", "payment_kind", "problem",
                "return_url", "plan_code", "period_unit",
                "return_url", "notification_url", "bank",
            ]
        ),
        "consumption_answers": Table(
            notPersonal: ["state", "refund_preference", "rule_name", "withheld_because", "error"]
        ),
        "consumption_consents": Table(personal: ["reason"], notPersonal: ["source", "recorded_as"]),
        "customer_activity": Table(notPersonal: ["locale", "platform", "app_version"]),
        "customer_notes": Table(personal: ["text"], notPersonal: ["author"]),
        "customers": Table(personal: ["name", "email", "avatar_url", "search"], notPersonal: ["key", "external_id"]),
        "features": Table(notPersonal: ["code", "name", "names", "limit_reached"]),
        "job_attempts": Table(notPersonal: ["result", "error"]),
        "jobs": Table(notPersonal: ["kind", "state", "last_error"]),
        "notification_attempts": Table(notPersonal: ["result", "error"]),
        "paywalls": Table(notPersonal: ["title", "headline", "subscribe", "terms_url", "privacy_url"]),
        "plans": Table(notPersonal: ["code", "name", "names", "benefits"]),
        "products": Table(
            notPersonal: ["store", "store_product_id", "name", "names", "period_unit", "trial_unit"]
        ),
        "promo_batches": Table(notPersonal: ["name", "channel", "created_as", "stopped_as"]),
        "promo_codes": Table(notPersonal: ["code_hash"]),
        "trial_offers": Table(notPersonal: ["period_unit", "product_ids"]),
        "purchase_verifications": Table(
            personal: ["proof"],
            notPersonal: ["store", "form", "digest", "environment", "state", "problem", "worthless"]
        ),
        "refund_payout_steps": Table(notPersonal: ["state", "words"]),
        "refund_payouts": Table(
            notPersonal: [
                "store", "number", "order_number", "transaction_id", "currency", "state", "obstacle", "store_id",
                "words",
            ]
        ),
        "refund_requests": Table(
            personal: ["reason", "internal_note", "decision_reason", "finish_reason", "payment_reference"],
            notPersonal: [
                "number", "kind", "status", "currency", "reason_category", "requested_as", "decided_as", "finished_as",
                "refund_preference", "consumption_reason", "payer", "store_reference",
            ]
        ),
        "renewal_extensions": Table(
            personal: ["reason"],
            notPersonal: [
                "store", "environment", "request_identifier", "store_product_id", "storefronts", "requested_as",
                "state",
                "error",
            ]
        ),
        "saved_views": Table(personal: ["name", "query"], notPersonal: ["list", "columns"]),
        "seat_claims": Table(
            notPersonal: [
                "store", "environment", "store_claim_id", "app_transaction_id", "ended_by", "requested_by",
                "refused_as", "answered_as",
            ]
        ),
        "sign_in_identities": Table(
            personal: ["email", "name", "avatar_url"],
            notPersonal: ["provider", "client_id", "sealed_refresh_token"]
        ),
        "sign_in_revocations": Table(notPersonal: ["provider", "client_id", "sealed_refresh_token"]),
        // A provider's id of a person does not leave the database.
        "sign_in_subjects": Table(personal: ["subject"], notPersonal: ["provider"]),
        "staff_sessions": Table(personal: ["address", "user_agent"], notPersonal: ["token_hash"]),
        "store_notifications": Table(
            personal: ["signed_payload", "event", "other_events"],
            notPersonal: [
                "store", "environment", "notification_uuid", "type", "subtype", "original_transaction_id", "state",
                "last_error",
            ]
        ),
        "subscription_events": Table(
            personal: ["event"],
            notPersonal: ["source", "event_id", "kind", "state_before", "state_after", "rejection_reason"]
        ),
        "used_credentials": Table(notPersonal: ["digest"]),
    ]

    @Test("of each column that can hold words it is said whether it tells of a person")
    func columns() async throws {
        try await TestShop.run { pool, _ in
            let rows = try await pool.query(
                """
                SELECT table_name::text, column_name::text
                FROM information_schema.columns
                WHERE table_schema = 'public' AND table_name::text = ANY(\(Self.tables.keys.sorted()))
                    AND data_type NOT IN ('uuid', 'timestamp with time zone', 'date', 'boolean', 'smallint', 'integer',
                        'bigint')
                """
            ).map { try $0.decode(String.self, String.self) }
            let stored = Dictionary(grouping: rows) { $0.0 }.mapValues { Set($0.map(\.1)) }
            for (name, table) in Self.tables {
                let said = table.personal.union(table.notPersonal)
                let columns = stored[name] ?? []
                #expect(table.personal.isDisjoint(with: table.notPersonal), "\(name)")
                #expect(columns.subtracting(said).sorted() == [], "\(name): is it personal?")
                #expect(said.subtracting(columns).sorted() == [], "\(name): is not there")
            }
        }
    }
}
