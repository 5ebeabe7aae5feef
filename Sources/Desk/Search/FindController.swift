import Foundation
import HTTP
package import Hummingbird
import Operations
import Storage

/// The one search box that every page has.
package struct FindController: Sendable {
    let database: Database

    /// `GET /dashboard/find`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let call = call.taking("q")
        let text = SearchInput.text(call.query["q"])
        guard !text.isEmpty else {
            return .page(SearchPage(results: SearchResults(), text: text, viewer: call.viewer, now: database.now))
        }
        let others = call.session.apps.filter { $0.id != call.app.id }
        let apps =
            [FindableApp(id: call.app.id, slug: call.app.slug, name: call.app.name)]
            + others.map { FindableApp(id: $0.id, slug: $0.slug, name: $0.name) }
        let (results, exact) = try await database.read { reader in
            let screens = reader.screens
            let sees = call.seesPersonalData
            let exact = try await screens.exactMatches(of: text, in: apps, seesPersonalData: sees)
            if Self.page(of: exact, in: call) != nil { return (SearchResults(), exact) }
            return (try await screens.find(text, in: apps, seesPersonalData: sees), exact)
        }
        if let page = Self.page(of: exact, in: call) { return .seeOther(page + DashboardPath.suffix(from: call.here)) }
        return .page(SearchPage(results: results, text: text, viewer: call.viewer, now: database.now))
    }

    /// A whole number or id that only one thing has leads to that thing; one of another app is only shown,
    /// as opening it changes the app.
    private static func page(of exact: [SearchResults.Exact], in call: StaffRequest) -> String? {
        // An original transaction id is that of the first order as well, whose page leads to the subscription.
        let orders = exact.contains { $0.kind == .order }
        // Every app counts its refund requests from 1: that of the open app is meant.
        let hits = exact.filter { hit in
            orders && hit.kind == .subscription ? false : hit.kind != .refund || hit.app == call.app.id
        }
        guard hits.count == 1, let hit = hits.first, hit.app == call.app.id else { return nil }
        let start =
            switch hit.kind {
            case .order: DashboardPath.orders
            case .refund: DashboardPath.refunds
            case .customer: DashboardPath.customers
            case .subscription: DashboardPath.subscriptions
            case .notification: DashboardPath.notifications
            }
        return "\(start)/\(DashboardPath.encoded(hit.id))"
    }
}

extension StaffRequest {
    /// The address that was asked for, as a way back.
    package var here: String? { DashboardPath.safe(request.target) }
}
