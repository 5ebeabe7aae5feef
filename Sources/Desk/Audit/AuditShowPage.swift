package import Foundation
package import HTTP
import Operations
package import Storage
package import Words

/// One audit entry: `/dashboard/audit/{id}`.
package struct AuditShowPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let backHref: String
    let backText: StaticString
    let action: String
    let actor: String
    let role: String?
    let at: DateText
    let zoneLabel: String
    let changes: [Change]
    let objectType: String?
    let object: String?
    let objectHref: String?
    let historyHref: String?
    let actorHref: String
    let app: String?
    let reason: String?
    let requestID: String?
    let address: String?
    let id: String
    let number: String?
    let hash: String?

    struct Change: Sendable {
        var name: String
        var before: String
        var after: String
    }

    /// - Parameter from: the list to go back to, as the request named it.
    package init(row: AuditRow, from: String?, viewer: Viewer, now: Date) {
        let own = DashboardPath.auditEntry(row.id)
        backHref = DashboardPath.safe(from) ?? DashboardPath.audit
        backText = BackText.name(of: backHref, otherwise: viewer.strings.auditTitle, viewer.strings)
        frame = DashboardFrame(viewer, section: .audit, path: own + DashboardPath.suffix(from: from), now: now)
        let facts = ActionFacts(row, viewer)
        action = facts.sentence
        actor = ActionText.actor(row.actor, role: row.role, viewer.strings)
        title = viewer.strings.auditEntryTitle(action: action, actor: actor)
        role = row.role.map { viewer.strings.name(of: $0).description }
        at = DateText(row.at, in: viewer.zone, viewer.strings, showsSeconds: true)
        zoneLabel = DateText.zone(of: row.at, in: viewer.zone)
        changes = facts.allChanges.map { Change(name: $0.field, before: $0.before, after: $0.after) }
        objectType = row.objectType.map { AuditObject.name(of: $0, viewer.strings) }
        object = row.objectID.map { AuditObject.text(row.objectType, $0, viewer.strings) }
        objectHref = AuditObject.path(row.objectType, row.objectID, viewer)
        historyHref = row.objectType.flatMap { type in row.objectID.map { DashboardPath.history(of: type, $0) } }
        actorHref = "\(DashboardPath.audit)?actor=\(DashboardPath.encoded(row.actor))"
        app = row.app
        reason = facts.reason.map { ActionText.reason($0, of: row.action, viewer.strings) }
        requestID = row.requestID
        address = row.address?.shown(to: viewer)
        id = row.id.uuidString.lowercased()
        number = row.number.map { viewer.strings.number(Int($0)) }
        hash = row.hash?.hexadecimal
    }
}
