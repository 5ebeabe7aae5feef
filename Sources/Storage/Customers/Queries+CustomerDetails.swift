package import Billing
package import Foundation
import Postgres

extension Queries {
    /// The app's UUID of a customer's account; nil where it is not known.
    package func accountToken(of customer: Customer.ID) async throws -> UUID? {
        try await reader.query(
            """
            SELECT coalesce(c.app_account_token, \(CustomerIdentity.latestMergedToken(of: "c.id")))
            FROM customers c
            WHERE c.id = \(customer)
            """
        ).first?.decode(0, as: UUID?.self)
    }

    /// The page of one customer; nil when the app has none of that id.
    ///
    /// - Parameter seesPersonalData: without it neither name, e-mail address nor notes leave the database.
    package func customer(id: Customer.ID, app: App.ID, seesPersonalData: Bool) async throws -> CustomerDetails? {
        let head = try await reader.query(
            """
            SELECT c.key, c.external_id, CASE WHEN \(seesPersonalData) THEN c.name END,
                CASE WHEN \(seesPersonalData) THEN c.email END, c.created_at, c.deleted_at, c.tester_since,
                \(BasePlan.code(of: "c.app_id"))
            FROM customers c
            WHERE c.id = \(id) AND c.app_id = \(app) AND c.merged_into IS NULL
            """
        ).first
        guard let head else { return nil }
        let (key, externalID, name, email, createdAt, deletedAt, testerSince, basePlan) = try head.decode(
            String.self,
            String?.self,
            Personal<String>?.self,
            Personal<String>?.self,
            Date.self,
            Date?.self,
            Date?.self,
            String?.self
        )
        async let activity = activity(of: id)
        async let subscriptions = held(by: id)
        async let entitlementSources = reader.entitlementSources.of([id])
        async let orders = newestOrders(of: id)
        async let notes = seesPersonalData ? notes(about: id) : []
        async let fraud = fraudFacts(about: id)
        async let consentRescindedAt = consentRescindedAt(of: id)
        async let consent = consumptionConsent(of: id)
        async let extensions = extensions(ofCustomer: id)
        async let identities = signInIdentities(of: id)
        var details = try await CustomerDetails(
            customer: OrderDetails.Customer(id: id, key: key, externalID: externalID, name: name, email: email),
            createdAt: createdAt,
            activity: activity,
            subscriptions: subscriptions,
            entitlementSources: entitlementSources[id] ?? EntitlementSources(customer: id),
            orders: Array(orders.prefix(CustomerDetails.orderLimit)),
            hasMoreOrders: orders.count > CustomerDetails.orderLimit,
            notes: notes,
            fraud: fraud,
            consentRescindedAt: consentRescindedAt,
            consent: consent,
            extensions: extensions,
            identities: identities,
            deletedAt: deletedAt,
            testerSince: testerSince
        )
        details.basePlan = basePlan
        let held = details.entitlementSources
        if held.entitlement(at: reader.now) == nil, let last = held.latestSubscription {
            details.loss = try await accessLoss(of: last, at: reader.now)
        }
        return details
    }

    private func held(by customer: Customer.ID) async throws -> [CustomerDetails.Held] {
        try await reader.query(
            """
            SELECT \(OrderDetails.CustomerSubscription.columns), s.store, s.environment, s.original_transaction_id,
                product.name, s.is_assigned, \(SeatCounts.columns)
            FROM subscriptions s
            \(OrderDetails.CustomerSubscription.joins)
            WHERE s.customer_id = \(customer) AND s.product_id IS NOT NULL
            ORDER BY s.created_at DESC, s.id DESC
            LIMIT \(OrderDetails.listLimit)
            """
        ).map { row in
            var columns = try row.columns(OrderDetails.CustomerSubscription.columnCount + 5 + SeatCounts.columnCount)
            return CustomerDetails.Held(
                held: try OrderDetails.CustomerSubscription(&columns),
                store: try columns.next(),
                environment: try columns.next(),
                originalTransactionID: try columns.next(),
                productName: try columns.next(),
                isAssigned: try columns.next(),
                seats: try SeatCounts(&columns)
            )
        }
    }

    /// One more than the page shows tells whether there are more.
    private func newestOrders(of customer: Customer.ID) async throws -> [ListedOrder] {
        try await reader.query(
            """
            SELECT o.id, o.number, o.status, o.store, o.environment, o.product_name, o.plan_code, o.amount,
                o.currency, o.worth, o.purchased_at, o.customer_id, '', NULL::text, NULL::text
            FROM orders o
            WHERE o.customer_id = \(customer)
            ORDER BY o.purchased_at DESC, o.id DESC
            LIMIT \(CustomerDetails.orderLimit + 1)
            """
        ).map(ListedOrder.init(row:))
    }

    private func notes(about customer: Customer.ID) async throws -> [CustomerNote] {
        try await reader.query(
            """
            SELECT id, staff_id, author, text, created_at
            FROM customer_notes
            WHERE customer_id = \(customer) AND withdrawn_at IS NULL
            ORDER BY created_at DESC, id DESC
            LIMIT \(OrderDetails.listLimit)
            """
        ).map(CustomerNote.init(row:))
    }

    /// Of the subscription that has the order, and of the other one.
    private func disputedTransactions(of customer: Customer.ID) async throws -> [String] {
        try await reader.query(
            """
            SELECT o.transaction_id
            FROM subscriptions s
            JOIN disputed_transactions d ON d.subscription_id = s.id
            JOIN orders o ON o.id = d.order_id
            WHERE s.customer_id = \(customer)
            UNION
            SELECT o.transaction_id
            FROM orders o
            JOIN disputed_transactions d ON d.order_id = o.id
            WHERE o.customer_id = \(customer)
            ORDER BY 1
            LIMIT 20
            """
        ).map { try $0.decode(0, as: String.self) }
    }

    /// Looks at the newest few of everything: a sign of fraud that is years old is history.
    private func fraudFacts(about customer: Customer.ID) async throws -> FraudFacts {
        async let counted = reader.query(
            """
            SELECT count(*), count(*) FILTER (WHERE has_refunds)
            FROM (
                SELECT has_refunds FROM orders
                WHERE customer_id = \(customer) AND status IN ('completed', 'partially_refunded', 'refunded', 'superseded')
                    AND amount > 0
                ORDER BY purchased_at DESC, id DESC
                LIMIT 200
            ) AS newest
            """
        )
        async let events = reader.query(
            """
            SELECT s.original_transaction_id, (e.event -> 'transaction' ->> 'customerToken')::uuid, e.signed_at,
                e.kind IN ('upgraded', 'downgradeScheduled', 'planChangeCancelled')
            FROM (
                SELECT id, original_transaction_id FROM subscriptions
                WHERE customer_id = \(customer)
                ORDER BY created_at DESC, id DESC
                LIMIT 20
            ) AS s
            CROSS JOIN LATERAL (
                SELECT event, signed_at, kind FROM subscription_events
                WHERE subscription_id = s.id
                ORDER BY signed_at DESC, id DESC
                LIMIT 100
            ) AS e
            ORDER BY e.signed_at DESC
            """
        ).map { try $0.decode(String.self, UUID?.self, Date.self, Bool.self) }
        async let tokens = reader.query(
            """
            SELECT app_account_token
            FROM customers
            WHERE app_account_token IS NOT NULL AND (id = \(customer) OR merged_into = \(customer)
                -- Of whom they have a purchase of.
                OR id IN (SELECT from_customer_id FROM purchase_moves WHERE to_customer_id = \(customer)))
            """
        ).map { try $0.decode(0, as: UUID.self) }
        async let refused = reader.query(
            """
            SELECT DISTINCT s.original_transaction_id
            FROM purchase_claims c
            JOIN customers claimant ON claimant.id = c.customer_id
            JOIN subscriptions s ON s.id = c.subscription_id
            WHERE c.outcome = 'refused' AND coalesce(claimant.merged_into, claimant.id) <> s.customer_id
                AND (c.subscription_id IN (SELECT id FROM subscriptions WHERE customer_id = \(customer))
                    OR c.customer_id IN (SELECT id FROM customers WHERE id = \(customer) OR merged_into = \(customer)))
            ORDER BY s.original_transaction_id
            LIMIT 20
            """
        ).map { try $0.decode(0, as: String.self) }
        async let transferred = reader.query(
            """
            SELECT DISTINCT s.original_transaction_id
            FROM purchase_moves m
            JOIN purchase_claims c ON c.subscription_id = m.subscription_id AND c.outcome = 'transferred'
            JOIN subscriptions s ON s.id = m.subscription_id
            WHERE m.from_customer_id = \(customer) OR m.to_customer_id = \(customer)
            ORDER BY s.original_transaction_id
            LIMIT 20
            """
        ).map { try $0.decode(0, as: String.self) }
        async let refusedIdentities = refusedLinks(of: customer)
        async let disputed = disputedTransactions(of: customer)
        async let paidTwice = reader.query(
            """
            SELECT number
            FROM orders
            WHERE customer_id = \(customer) AND refunded > amount
            ORDER BY purchased_at DESC, id DESC
            LIMIT 20
            """
        ).map { try $0.decode(0, as: String.self) }
        var facts = FraudFacts(
            accountTokens: Set(try await tokens),
            refusedClaims: try await refused,
            transferredPurchases: try await transferred,
            refusedIdentities: try await refusedIdentities,
            disputedTransactions: try await disputed,
            paidBackTwice: try await paidTwice
        )
        for (original, account, signedAt, changesPlan) in try await events {
            if changesPlan { facts.planChanges.append(signedAt) }
            guard let account else { continue }
            if let known = facts.accountHistories.firstIndex(where: { $0.originalTransactionID == original }) {
                facts.accountHistories[known].accountTokens.append(account)
            } else {
                facts.accountHistories.append(
                    FraudFacts.AccountHistory(originalTransactionID: original, accountTokens: [account])
                )
            }
        }
        if let row = try await counted.first {
            (facts.orders, facts.refundedOrders) = try row.decode(Int.self, Int.self)
        }
        return facts
    }
}
