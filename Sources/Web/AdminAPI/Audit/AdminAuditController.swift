import APITypes
import Billing
import Foundation
import Hummingbird
import Operations
import Storage

/// The audit log of one app as JSON, for programs. Nothing here changes an entry.
struct AdminAuditController: Sendable {
    let database: Database
    let counts: CappedCounts

    /// `GET /admin/audit`
    @Sendable func index(_ call: APIRequest) async throws -> Response {
        let filter = try AuditFilter(call.query)
        let list = try await database.read { reader in
            try await reader.screens.audit(
                filter,
                scope: call.auditScope,
                app: call.app,
                zone: call.zone,
                counts: counts
            )
        }
        let last = list.hasNext ? list.rows.last : nil
        let page = AuditPage(
            entries: list.rows.map { AuditRecord($0, for: call) },
            next: last.map { PageCursor(kind: .auditWritten, date: $0.at, id: $0.id, rowsBefore: 0).text }
        )
        return .json { page.write(to: &$0) }
    }

    /// `GET /admin/audit/{id}`, from the primary: the reader may have just done what it shows.
    @Sendable func show(_ call: APIRequest) async throws -> Response {
        guard let id = UUID(uuidString: try call.parameter("id")),
            let row = try await database.readPrimary({
                try await $0.screens.auditEntry(id, scope: call.auditScope)
            })
        else { throw WebError(.notFound, "There is no such entry.") }
        return .json { AuditRecord(row, for: call).write(to: &$0) }
    }
}

extension APIRequest {
    /// What was done in the app that the call is for, and nothing else.
    fileprivate var auditScope: AuditScope {
        AuditScope(viewer: token.staff, apps: .only([app]), seesAccounts: false, seesOwn: false)
    }
}

extension AuditFilter {
    private static let names: Set<String> = ["actor", "action", "objectType", "objectId", "from", "to", "after"]

    fileprivate init(_ query: URLEncoded) throws(WebError) {
        let question = try ListParameters(query, takes: Self.names)
        self.init()
        actor = try question.search("actor")
        action = try question.search("action")
        objectType = try question.search("objectType")
        objectID = try question.search("objectId")
        from = try question.day("from")
        to = try question.day("to")
        position = try question.position(of: .auditWritten)
    }
}
