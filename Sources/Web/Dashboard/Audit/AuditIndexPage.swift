import Billing
package import Foundation
import Operations
package import Storage

/// The log of what staff did: `/dashboard/audit`.
package struct AuditIndexPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let range: String
    let filters: Filters
    let chips: [FilterChip]
    let isFiltered: Bool
    /// The list as it is, without what was filtered.
    let clearHref: String
    let tools: ListTools
    let hidden: [Hidden]
    /// "Export CSV (1,284 rows)"
    let exportLabel: String
    /// nil where the address names no columns.
    let columns: String?
    let apps: [Choice]
    let hasEntries: Bool
    let entries: [Row]
    let caption: String
    let empty: EmptyState
    let pages: PageLinks

    struct Filters: Sendable {
        var actor: String
        var action: String
        var type: String
        var object: String
        var from: String
        var to: String
    }

    struct Choice: Sendable {
        var value: String
        var label: String
        var isChosen: Bool
    }

    struct Hidden: Sendable {
        var name: String
        var value: String
    }

    struct Row: Sendable {
        var href: String
        var at: DateText
        var actor: String
        var role: String?
        var action: String
        var object: String?
        var objectHref: String?
        var app: String?
        var reason: String?
    }

    package init(
        list: ListPage<AuditRow>,
        filter: AuditFilter,
        settings: ListSettings = ListSettings(),
        viewer: Viewer,
        now: Date
    ) {
        let path = filter.path
        frame = DashboardFrame(viewer, section: .audit, path: path, now: now)
        let shown = Phrase.range(list, viewer.strings)
        let strings = viewer.strings
        title = list.rows.isEmpty ? strings.auditTitle.description : strings.auditPageTitle(range: shown)
        range = list.rows.isEmpty ? strings.auditNone.description : strings.auditRange(range: shown)
        tools = ListTools(filter, settings, viewer)
        let fields = filter.fields
        filters = Filters(
            actor: filter.actor,
            action: filter.action,
            type: filter.objectType,
            object: filter.objectID,
            from: filter.from?.description ?? "",
            to: filter.to?.description ?? ""
        )
        exportLabel = ExportLink.label(list.total ?? .moreThanCounted, strings)
        hidden = fields.map { Hidden(name: $0.name, value: $0.value) }
        columns = filter.columns?.text
        var whole = AuditFilter()
        whole.columns = filter.columns
        clearHref = whole.path
        isFiltered = !fields.isEmpty
        chips = fields.map { field in
            var query = QueryText()
            for other in fields where other.name != field.name { query.add(other.name, other.value) }
            query.add(filter.columns, .first)
            return FilterChip(
                label: strings.auditChip(name: Self.name(field.name, strings), value: field.value),
                removeHref: DashboardPath.audit + query.text
            )
        }
        apps =
            [Choice(value: "", label: strings.auditAll.description, isChosen: filter.app.isEmpty)]
            + viewer.apps.map { Choice(value: $0.slug, label: $0.name, isChosen: $0.slug == filter.app) }
        hasEntries = !list.rows.isEmpty
        caption = strings.auditCaption(zone: viewer.zone.label)
        entries = list.rows.map { row in
            Row(
                href: DashboardPath.auditEntry(row.id, from: path),
                at: DateText(row.at, in: viewer.zone, viewer.strings, showsSeconds: true),
                actor: row.actor,
                role: row.role.map { strings.name(of: $0).description },
                action: row.action,
                object: row.objectID,
                objectHref: AuditObject.path(row.objectType, row.objectID, viewer),
                app: row.app,
                reason: row.reason?.shown(to: viewer).map { ActionText.reason($0, strings) }
            )
        }
        empty = EmptyState(
            headline: strings.auditEmpty.description,
            text: strings.auditEmptyWhy.description,
            linkText: strings.auditEmptyLink.description,
            href: DashboardPath.audit
        )
        pages = PageLinks(list, by: filter, path: \.path)
    }

    private static func name(_ field: String, _ strings: Strings) -> String {
        switch field {
        case "actor": strings.auditWho.description
        case "action": strings.auditAction.description
        case "type": strings.auditObject.description
        case "object": strings.auditItsId.description
        case "app": strings.auditApp.description
        case "from": strings.auditFrom.description
        case _: strings.auditTo.description
        }
    }
}

/// Where the objects of audit entries have their pages.
enum AuditObject {
    /// nil for what has no page, or none that this person may open.
    static func path(_ type: String?, _ id: String?, _ viewer: Viewer) -> String? {
        guard let type, let id else { return nil }
        return switch type {
        case "order": DashboardPath.order(id)
        case "refund": DashboardPath.refund(id)
        case "customer": Customer.ID(id).map { DashboardPath.customer($0) }
        case "notification": UUID(uuidString: id).map { DashboardPath.notification($0) }
        case "queue": DashboardPath.queues
        case "bulk": viewer.may(.runBulkJobs) ? BulkJob.ID(id).map(DashboardPath.bulkJob) : nil
        case "staff": viewer.may(.manageStaff) && !id.contains("@") ? DashboardPath.staffMember(id) : nil
        case _: nil
        }
    }
}
