package import Foundation
import Operations
package import Storage

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
        title = "\(row.action), \(row.actor)"
        action = row.action
        actor = row.actor
        role = row.role.map { viewer.strings.name(of: $0).description }
        at = DateText(row.at, in: viewer.zone, viewer.strings, showsSeconds: true)
        zoneLabel = DateText.zone(of: row.at, in: viewer.zone)
        changes = Self.changes(
            from: Self.values(row.before?.shown(to: viewer), viewer.strings),
            to: Self.values(row.after?.shown(to: viewer), viewer.strings)
        )
        (objectType, object) = (row.objectType, row.objectID)
        objectHref = AuditObject.path(row.objectType, row.objectID, viewer)
        historyHref = row.objectType.flatMap { type in row.objectID.map { DashboardPath.history(of: type, $0) } }
        actorHref = "\(DashboardPath.audit)?actor=\(DashboardPath.encoded(row.actor))"
        app = row.app
        reason = row.reason?.shown(to: viewer).map { ActionText.reason($0, viewer.strings) }
        requestID = row.requestID
        address = row.address?.shown(to: viewer)
        id = row.id.uuidString.lowercased()
        number = row.number.map { viewer.strings.number(Int($0)) }
        hash = row.hash?.hexadecimal
    }

    private static func changes(from before: [String: String], to after: [String: String]) -> [Change] {
        Set(before.keys).union(after.keys).sorted().map {
            Change(
                name: $0.replacing("_", with: " "),
                before: before[$0] ?? "–",
                after: after[$0] ?? "–"
            )
        }
    }

    /// The values of a JSON object as texts; what is nested stays JSON.
    private static func values(_ json: String?, _ strings: Strings) -> [String: String] {
        guard let json, let object = try? JSONDecoder().decode([String: Value].self, from: Data(json.utf8)) else {
            return [:]
        }
        return object.mapValues { $0.text(strings) }
    }

    private enum Value: Decodable {
        case text(String)
        case flag(Bool)
        case list([Value])
        case object([String: Value])
        case nothing

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Decimal.self) {
                self = .text(number.description)
            } else if let list = try? container.decode([Value].self) {
                self = .list(list)
            } else if let object = try? container.decode([String: Value].self) {
                self = .object(object)
            } else {
                self = .nothing
            }
        }

        func text(_ strings: Strings) -> String {
            switch self {
            case .text(let text): text
            case .flag(let flag): (flag ? strings.auditYes : strings.auditNo).description
            case .list(let list): list.map { $0.text(strings) }.joined(separator: ", ")
            case .object(let object):
                object.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.text(strings))" }.joined(separator: ", ")
            case .nothing: "–"
            }
        }
    }
}
