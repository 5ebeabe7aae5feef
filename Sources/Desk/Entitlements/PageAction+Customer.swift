import Billing
import Foundation
import HTTP
import Hummingbird
import Operations
import Storage
import Words

extension PageAction {
    /// The actions that this person may take for a customer now.
    static func forCustomer(
        _ customer: Customer.ID,
        _ held: EntitlementSources?,
        _ actions: [EntitlementActionRecord],
        staff: Staff.ID,
        from: String? = nil,
        _ viewer: Viewer,
        now: Date
    ) -> [PageAction] {
        guard let held else { return [] }
        let runs =
            held.subscriptions.contains { $0.seat == nil && $0.isLive(at: now) }
            || held.grants.contains { $0.isLive(at: now) }
        let revoked =
            held.subscriptions.contains { $0.seat == nil && $0.suspendedAt != nil }
            || held.grants.contains { $0.endedAt != nil && ($0.endsAt.map { $0 > now } ?? true) }
        var offered: [AccessAction] = [.grants]
        if runs { offered += [.extensions, .planChanges, .revocations, .cancellations] }
        if revoked { offered.append(.restorations) }
        if held.subscriptions.contains(where: { $0.seat == nil }) { offered.append(.transfers) }
        var links = offered.filter { viewer.role.may($0.permission) }.map { action in
            PageAction(
                label: label(of: action, held, viewer.strings, now: now),
                href: DashboardPath.newAction(action, of: customer) + DashboardPath.suffix(from: from)
            )
        }
        let undoable = actions.first { action in
            viewer.role != .support || action.staff == staff ? action.canBeUndone(held, at: now) : false
        }
        if let undoable, viewer.role.may(.giveAccess) {
            var query = QueryText()
            query.add("of", undoable.id.description)
            query.add("from", from)
            links.append(
                PageAction(
                    label: label(undoing: undoable, last: actions.first(where: \.stands), viewer.strings),
                    href: DashboardPath.newAction(.undoings, of: customer) + query.text
                )
            )
        }
        return links
    }

    /// The last action by that name; an earlier one, which nothing later touched, by its own.
    private static func label(
        undoing action: EntitlementActionRecord,
        last: EntitlementActionRecord?,
        _ strings: Strings
    ) -> String {
        guard action.id != last?.id else { return EntitlementActionText.button(of: .undoings, strings) }
        return strings.accessDoUndoOf(action: EntitlementActionText.button(of: AccessAction(action.kind), strings))
    }

    /// A label that says so where only the customer can do it, at the store.
    private static func label(
        of action: AccessAction,
        _ held: EntitlementSources,
        _ strings: Strings,
        now: Date
    ) -> String {
        let stores = action == .cancellations ? held.storesToCancelAt(at: now) : []
        guard !stores.isEmpty else { return EntitlementActionText.button(of: action, strings) }
        let names = stores.map { StoreText.name(of: $0, strings).description }
        return strings.accessDoCancelAt(store: strings.list(names))
    }
}

extension EntitlementActionRecord {
    /// True while nobody has undone it.
    fileprivate var stands: Bool { kind != .undo && undoneBy == nil }

    /// True where undoing it would still change something, as far as these sources tell.
    fileprivate func canBeUndone(_ held: EntitlementSources, at now: Date) -> Bool {
        switch kind {
        case .undo: false
        // The receiver's sources tell.
        case .transfer: stands
        case .grant, .extend, .revoke, .restore, .changeTier, .cancel:
            stands && (try? held.decide(.undo(changes), at: now) { Grant.ID(UUID()) }) != nil
        }
    }
}

extension AccessAction {
    /// The form with which it was done.
    fileprivate init(_ kind: EntitlementActionRecord.Kind) {
        self =
            switch kind {
            case .grant: .grants
            case .extend: .extensions
            case .revoke: .revocations
            case .restore: .restorations
            case .changeTier: .planChanges
            case .transfer: .transfers
            case .cancel: .cancellations
            case .undo: .undoings
            }
    }
}
