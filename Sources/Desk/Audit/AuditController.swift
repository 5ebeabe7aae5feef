import Foundation
import HTTP
package import Hummingbird
import Operations
package import Storage

/// The pages about what staff did. Nothing here changes an entry.
package struct AuditController: Sendable {
    let backOffice: BackOffice
    let counts: CappedCounts
    let exports: ExportDesk

    /// `GET /dashboard/audit`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let (filter, call) = try call.reading(AuditFilter.self)
        let database = backOffice.database
        let (list, settings) = try await database.read { reader in
            async let settings = reader.ask(call.settings(of: .audit, reader))
            let list = try await reader.screens.audit(
                filter,
                scope: call.auditScope,
                app: call.app.id,
                zone: call.zone,
                counts: counts
            )
            return (list, try await settings)
        }
        if list.startsOver { return call.startOver(at: filter.firstPage.path) }
        return .page(
            AuditIndexPage(list: list, filter: filter, settings: settings, viewer: call.viewer, now: database.now)
        )
    }

    /// `GET /dashboard/audit/{id}`, from the primary: the reader may have just done what it shows.
    @Sendable package func show(_ call: StaffRequest) async throws -> Response {
        let call = call.taking("from")
        guard let id = UUID(uuidString: try call.parameter("id")),
            let row = try await backOffice.database.readPrimary({
                try await $0.screens.auditEntry(id, scope: call.auditScope)
            })
        else { throw WebError(.notFound, "There is no such entry.") }
        let from = DashboardPath.safe(call.query["from"])
        return .page(AuditShowPage(row: row, from: from, viewer: call.viewer, now: backOffice.database.now))
    }

    /// `POST /dashboard/audit/exports`: the fields of the filter. The answer is the list as CSV, row by row.
    @Sendable package func export(_ call: StaffRequest) async throws -> Response {
        var filter = try call.readingFile { () throws(InvalidCursor) in try AuditFilter(query: call.form.pairs) }
        filter.position = .first
        let (database, listed) = (backOffice.database, filter)
        let (scope, zone) = (call.auditScope, call.zone)
        let text = filter.queryText(withPosition: false)
        return try await call.export("audit", text, of: nil, at: exports) { send in
            var piece = AuditCSV.heading
            var last: AuditRow?
            var sent = 0
            while true {
                let (reached, size) = (last, AuditCSV.batch)
                let rows = try await database.read {
                    try await $0.screens.auditEntries(listed, scope: scope, zone: zone, after: reached, limit: size)
                }
                sent += rows.count
                var lines = AuditCSV.lines(rows, for: call)
                piece.writeBuffer(&lines)
                try await send(piece, sent)
                piece.clear()
                guard rows.count == size else { break }
                last = rows.last
            }
        }
    }
}

extension StaffRequest {
    /// The entries of the audit log that the person may see.
    package var auditScope: AuditScope {
        AuditScope(
            viewer: session.staff,
            apps: session.seesAllApps ? .all : .only(Set(session.apps.map(\.id))),
            seesAccounts: session.may(.manageStaff)
        )
    }
}
