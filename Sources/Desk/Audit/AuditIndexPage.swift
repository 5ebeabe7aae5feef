import Billing
package import Foundation
package import HTTP
import Operations
package import Storage
package import Words

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
    let actions: [AuditActionChoice]
    /// The filter, where it is none of them.
    let otherAction: Choice?
    let types: [Choice]
    let hasEntries: Bool
    let entries: [Row]
    let caption: String
    let empty: EmptyState
    let pages: PageLinks

    struct Filters: Sendable {
        var actor: String
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
                label: strings.auditChip(
                    name: Self.name(field.name, strings),
                    value: Self.value(field.name, field.value, strings)
                ),
                removeHref: DashboardPath.audit + query.text
            )
        }
        apps =
            [Choice(value: "", label: strings.auditAll.description, isChosen: filter.app.isEmpty)]
            + viewer.apps.map { Choice(value: $0.slug, label: $0.name, isChosen: $0.slug == filter.app) }
        actions = AuditActionChoice.groups(chosen: filter.action, strings)
        let isKnown = filter.action.isEmpty || actions.contains { $0.options.contains(where: \.isChosen) }
        otherAction =
            isKnown
            ? nil
            : Choice(
                value: filter.action,
                label: AuditActionChoice.name(of: filter.action, strings),
                isChosen: true
            )
        types = Self.types(chosen: filter.objectType, strings)
        hasEntries = !list.rows.isEmpty
        caption = strings.auditCaption(zone: viewer.zone.label)
        entries = list.rows.map { row in
            let facts = ActionFacts(row, viewer)
            return Row(
                href: DashboardPath.auditEntry(row.id, from: path),
                at: DateText(row.at, in: viewer.zone, viewer.strings, showsSeconds: true),
                actor: ActionText.actor(row.actor, role: row.role, strings),
                role: row.role.map { strings.name(of: $0).description },
                action: facts.sentence,
                object: row.objectID.map { AuditObject.text(row.objectType, $0, strings) },
                app: row.app,
                reason: facts.reason.map { ActionText.reason($0, of: row.action, strings) }
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

    /// By name, with one of a later version of the program as it is.
    private static func types(chosen: String, _ strings: Strings) -> [Choice] {
        let known = AuditObject.types + (AuditObject.types.contains(chosen) || chosen.isEmpty ? [] : [chosen])
        return [Choice(value: "", label: strings.auditAll.description, isChosen: chosen.isEmpty)]
            + known.map { Choice(value: $0, label: AuditObject.name(of: $0, strings), isChosen: $0 == chosen) }
    }

    /// Returns the value of a filter in words.
    private static func value(_ field: String, _ text: String, _ strings: Strings) -> String {
        switch field {
        case "action": AuditActionChoice.name(of: text, strings)
        case "type": AuditObject.name(of: text, strings)
        case _: text
        }
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
