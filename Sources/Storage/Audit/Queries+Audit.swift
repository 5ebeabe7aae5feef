package import Billing
package import Foundation
import Postgres

extension Queries {
    /// A page of the audit log, newest first.
    ///
    /// - Parameters:
    ///   - app: the app that the person looks at; it names the count that is remembered.
    ///   - zone: that app's, in which the filter's days begin and end.
    package func audit(
        _ filter: AuditFilter,
        scope: AuditScope,
        app: App.ID,
        zone: TimeZone,
        counts: CappedCounts
    ) async throws -> ListPage<AuditRow> {
        let conditions = Self.conditions(filter, scope, zone)
        let keyset = KeysetClauses(columns: ("e.at", "e.id"), direction: .descending, position: filter.position) {
            "\($0.date)"
        }
        let rows = try await reader.query(
            """
            \(Self.selection)
            WHERE \(conditions)\(keyset.condition)
            ORDER BY \(keyset.order)
            LIMIT \(unsafe: String(ListPageSize.fetched))
            """
        )
        let page = ListPage(try rows.map(AuditRow.init(row:)), at: filter.position)
        return try await counted(
            page,
            of: CountedList(app: app, filter: .audit(filter.firstPage, scope)),
            counts: counts,
            rows: "SELECT 1 FROM audit_entries e LEFT JOIN apps a ON a.id = e.app_id WHERE \(conditions)"
        )
    }

    /// One entry; nil where there is none that the person may see.
    package func auditEntry(_ id: UUID, scope: AuditScope) async throws -> AuditRow? {
        try await reader.query("\(Self.selection) WHERE e.id = \(id) AND \(Self.visible(scope))").first
            .map(AuditRow.init(row:))
    }

    /// The next entries behind one, newest first, for an export.
    package func auditEntries(
        _ filter: AuditFilter,
        scope: AuditScope,
        zone: TimeZone,
        after last: AuditRow?,
        limit: Int
    ) async throws -> [AuditRow] {
        let beyond: Query = last.map { " AND (e.at, e.id) < (\($0.at), \($0.id))" } ?? ""
        return try await reader.query(
            """
            \(Self.selection)
            WHERE \(Self.conditions(filter, scope, zone))\(beyond)
            ORDER BY e.at DESC, e.id DESC
            LIMIT \(limit)
            """
        ).map(AuditRow.init(row:))
    }

    private static let selection: Query = """
        SELECT e.id, e.at, a.slug, e.actor, e.role, e.action, e.object_type, e.object_id, e.before::text,
            e.after::text, e.reason, e.request_id, e.address, c.number, c.hash
        FROM audit_entries e
        LEFT JOIN apps a ON a.id = e.app_id
        LEFT JOIN audit_chain c ON c.entry_id = e.id
        """

    private static func conditions(_ filter: AuditFilter, _ scope: AuditScope, _ zone: TimeZone) -> Query {
        var conditions = visible(scope)
        func add(_ condition: Query) { conditions = "\(conditions) AND \(condition)" }
        if !filter.actor.isEmpty { add("e.actor = \(filter.actor)") }
        if !filter.action.isEmpty {
            add("(e.action = \(filter.action) OR starts_with(e.action, \(filter.action + ".")))")
        }
        if !filter.objectType.isEmpty { add("e.object_type = \(filter.objectType)") }
        if !filter.objectID.isEmpty { add("e.object_id = \(filter.objectID)") }
        if !filter.app.isEmpty { add("a.slug = \(filter.app)") }
        if let from = filter.from { add("e.at >= \(from.start(in: zone))") }
        if let to = filter.to { add("e.at < \(to.end(in: zone))") }
        return conditions
    }

    private static func visible(_ scope: AuditScope) -> Query {
        let own: Query = scope.seesOwn ? "e.staff_id = \(scope.viewer)" : "false"
        switch scope.apps {
        case .all: return scope.seesAccounts ? "true" : "(e.app_id IS NOT NULL OR \(own))"
        case .only(let apps):
            let ids = apps.map(\.uuid).sorted { $0.uuidString < $1.uuidString }
            return "(e.app_id = ANY(\(ids)) OR \(own))"
        }
    }
}

extension AuditRow {
    fileprivate init(row: Postgres.Row) throws {
        (
            id, at, app, actor, role, action, objectType, objectID, before, after, reason, requestID, address, number,
            hash
        ) = try row.decode(
            UUID.self,
            Date.self,
            String?.self,
            String.self,
            StaffRole?.self,
            String.self,
            String?.self,
            String?.self,
            Personal<String>?.self,
            Personal<String>?.self,
            Personal<String>?.self,
            String?.self,
            Personal<String>?.self,
            Int64?.self,
            [UInt8]?.self
        )
    }
}
