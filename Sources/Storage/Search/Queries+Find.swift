import Billing
import Foundation
import Postgres

extension Queries {
    /// The objects that the whole text names in these apps.
    package func exactMatches(
        of text: String,
        in apps: [FindableApp],
        seesPersonalData: Bool
    ) async throws -> [SearchResults.Exact] {
        guard !text.isEmpty, !apps.isEmpty else { return [] }
        let matches = ExactMatches(
            text: SearchText(text: text),
            apps: apps.map(\.id),
            seesPersonalData: seesPersonalData
        )
        return try await reader.queryPlannedForValues(matches.all).map { row in
            let (app, kind, id) = try row.decode(App.ID.self, String.self, String.self)
            return SearchResults.Exact(app: app, kind: SearchResults.Exact.Kind(rawValue: kind) ?? .order, id: id)
        }
    }

    /// The newest of everything that a text is found in, of each of these apps.
    ///
    /// - Parameter seesPersonalData: without it neither names nor e-mail addresses leave the database or are searched.
    package func find(
        _ text: String,
        in apps: [FindableApp],
        seesPersonalData: Bool
    ) async throws -> SearchResults {
        async let exact = exactMatches(of: text, in: apps, seesPersonalData: seesPersonalData)
        var results = SearchResults()
        try await withThrowingTaskGroup(of: AppResults.self) { group in
            for app in apps {
                group.addTask { try await find(text, in: app, seesPersonalData: seesPersonalData) }
            }
            var byApp: [App.ID: AppResults] = [:]
            for try await found in group { byApp[found.app.id] = found }
            for app in apps {
                guard let found = byApp[app.id] else { continue }
                results.customers += found.customers
                results.orders += found.orders
                results.refunds.append(contentsOf: found.refunds)
                results.subscriptions += found.subscriptions
                results.notifications += found.notifications
            }
        }
        results.exact = try await exact
        return results
    }

    private struct AppResults: Sendable {
        var app: FindableApp
        var customers: [SearchResults.AppGroup<SearchResults.CustomerHit>]
        var orders: [SearchResults.AppGroup<SearchResults.OrderHit>]
        var refunds: [SearchResults.AppGroup<SearchResults.RefundHit>]
        var subscriptions: [SearchResults.AppGroup<SearchResults.SubscriptionHit>]
        var notifications: [SearchResults.AppGroup<SearchResults.NotificationHit>]
    }

    private func find(
        _ text: String,
        in app: FindableApp,
        seesPersonalData sees: Bool
    ) async throws -> AppResults {
        let find = FindStatements(text: text, app: app.id, seesPersonalData: sees)
        async let customers = customerHits(find)
        async let orders = reader.queryPlannedForValues(find.orders).map(ListedOrder.init(row:))
        async let refunds = reader.queryPlannedForValues(find.refunds).map(ListedRefund.init(row:))
        async let subscriptions = reader.queryPlannedForValues(find.subscriptions).map(ListedSubscription.init(row:))
        async let notifications = notificationHits(find)
        return AppResults(
            app: app,
            customers: Self.group(try await customers, of: app),
            orders: Self.group(try await orders, of: app),
            refunds: Self.group(try await refunds, of: app),
            subscriptions: Self.group(try await subscriptions, of: app),
            notifications: Self.group(try await notifications, of: app)
        )
    }

    private static func group<Hit>(_ hits: [Hit], of app: FindableApp) -> [SearchResults.AppGroup<Hit>] {
        guard !hits.isEmpty else { return [] }
        let shown = Array(hits.prefix(SearchResults.shown))
        return [SearchResults.AppGroup(app: app, hits: shown, hasMore: hits.count > SearchResults.shown)]
    }

    private func customerHits(_ find: FindStatements) async throws -> [SearchResults.CustomerHit] {
        try await reader.queryPlannedForValues(find.customers).map { row in
            let (id, key, externalID, name, email, createdAt) = try row.decode(
                Customer.ID.self,
                String.self,
                String?.self,
                Personal<String>?.self,
                Personal<String>?.self,
                Date.self
            )
            return SearchResults.CustomerHit(
                customer: OrderDetails.Customer(id: id, key: key, externalID: externalID, name: name, email: email),
                createdAt: createdAt
            )
        }
    }

    private func notificationHits(_ find: FindStatements) async throws -> [SearchResults.NotificationHit] {
        try await reader.queryPlannedForValues(find.notifications).map { row in
            let (id, type, subtype, state, receivedAt) = try row.decode(
                UUID.self,
                String.self,
                String?.self,
                NotificationState.self,
                Date.self
            )
            return SearchResults.NotificationHit(
                id: id,
                type: type,
                subtype: subtype,
                state: state,
                receivedAt: receivedAt
            )
        }
    }
}
