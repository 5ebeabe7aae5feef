import Billing
import Foundation
import Hummingbird
import Operations
import Storage

extension RouteBuilder {
    /// What staff do for one customer, and for many at once.
    func addAccess(_ controllers: Controllers) {
        for deed in AccessAction.allCases {
            let path = "\(DashboardPath.customers)/{id}/\(deed.rawValue)"
            staff(.get, path + "/new", needs: deed.permission, use: controllers.access.new(deed))
            staff(.post, path, needs: deed.permission, use: controllers.access.create(deed))
        }
        let (bulk, one) = (DashboardPath.bulk, DashboardPath.bulk + "/{id}")
        staff(.get, bulk, needs: .runBulkJobs, use: controllers.bulk.index)
        staff(.get, bulk + "/new", needs: .runBulkJobs, use: controllers.bulk.new)
        staff(.post, bulk, needs: .runBulkJobs, takesFiles: true, use: controllers.bulk.create)
        staff(.get, one, needs: .runBulkJobs, use: controllers.bulk.show)
        staff(.get, one + "/result.csv", needs: .runBulkJobs, use: controllers.bulk.result)
        for deed in BulkAction.allCases {
            staff(.get, "\(one)/\(deed.rawValue)/new", needs: .runBulkJobs, use: controllers.bulk.ask(deed))
            staff(.post, "\(one)/\(deed.rawValue)", needs: .runBulkJobs, use: controllers.bulk.act(deed))
        }
    }
}

extension DashboardPath {
    static let bulk = "/dashboard/bulk"

    static func bulkJob(_ id: BulkJob.ID) -> String { "\(bulk)/\(id)" }

    /// Where a deed for a customer is posted.
    static func deeds(_ deed: AccessAction, of customer: Customer.ID) -> String {
        "\(self.customer(customer))/\(deed.rawValue)"
    }

    /// The form of a deed for a customer.
    static func newDeed(_ deed: AccessAction, of customer: Customer.ID) -> String { deeds(deed, of: customer) + "/new" }
}

extension String {
    /// Constant words as text.
    init(_ strings: StaticString) { self = strings.description }
}

extension PageAction {
    /// What this person may do for a customer now.
    static func forCustomer(
        _ customer: Customer.ID,
        _ held: EntitlementSources?,
        _ actions: [EntitlementActionRecord],
        staff: Staff.ID,
        _ viewer: Viewer,
        now: Date
    ) -> [PageAction] {
        guard let held else { return [] }
        let runs = held.subscriptions.contains { $0.hasAccess(at: now) } || held.grants.contains { $0.isLive(at: now) }
        let revoked =
            held.subscriptions.contains { $0.suspendedAt != nil }
            || held.grants.contains { $0.endedAt != nil && ($0.endsAt.map { $0 > now } ?? true) }
        var deeds: [AccessAction] = [.grants]
        if runs { deeds += [.extensions, .planChanges, .revocations, .cancellations] }
        if revoked { deeds.append(.restorations) }
        if !held.subscriptions.isEmpty { deeds.append(.transfers) }
        var links = deeds.filter { viewer.role.may($0.permission) }.map { deed in
            PageAction(
                label: EntitlementActionText.button(of: deed, viewer.strings),
                href: DashboardPath.newDeed(deed, of: customer)
            )
        }
        let last = actions.first { $0.undoneBy == nil && $0.kind != .undo }
        if let last, viewer.role.may(.giveAccess), viewer.role != .support || last.staff == staff {
            links.append(
                PageAction(
                    label: EntitlementActionText.button(of: .undoings, viewer.strings),
                    href: DashboardPath.newDeed(.undoings, of: customer) + "?of=\(last.id)"
                )
            )
        }
        return links
    }
}
