/// The treatment of a customer's rows in each table when their record is merged into another's.
///
/// Each table that names customers is in one of these lists; `CustomerBelongingsTests` compares them with the schema.
package enum CustomerBelongings {
    /// The survivor owns them from then on. `customer_id` is in no unique key, and an index begins with it.
    package static let moved = [
        "customer_notes", "consumption_consents", "customer_sessions", "entitlement_actions",
        "sign_in_identities",
    ]

    /// The survivor gets them by separate statements: the metrics follow them, or both customers' rows become one.
    package static let merged = [
        "credit_buckets", "customer_activity", "grants", "idempotency_keys", "orders", "seat_claims", "subscriptions",
        "usage_counters", "usage_days", "usage_reservations",
    ]

    /// They stay with the record that ended, and are read through `customers.merged_into`: they say what somebody did under that
    /// record, or their unique key holds for it.
    package static let kept = [
        "app_transactions", "audit_entries", "bulk_job_items", "checkouts", "customers",
        "purchase_claims", "promo_redemptions", "purchase_moves", "purchase_verifications", "refused_links",
    ]

    /// They are counted from the others, and follow them.
    package static let derived = [
        "access_changes", "access_periods", "entitlement_versions", "rollup_corrections", "subscriber_entries",
    ]
}
