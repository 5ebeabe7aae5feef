import APITypes
import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
import Storage

/// Answers the audit log of one app as JSON, for programs. Nothing here changes an entry.
package struct AdminAuditController: Sendable {
    let database: Database
    let counts: CappedCounts

    package static let list = APIOperation(
        "listAuditEntries",
        .audit,
        "What was done in the app, newest first",
        query: [
            AuditFilter.actorParameter, AuditFilter.actionParameter, AuditFilter.objectTypeParameter,
            AuditFilter.objectIDParameter, AuditFilter.firstDay, AuditFilter.lastDay, PageParameter(),
        ],
        answer: .ok(AuditPage.self, "A page of entries.")
    )

    /// `GET /admin/audit`
    @Sendable package func index(_ call: APIRequest) async throws -> Response {
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
        let page = AuditPage(
            entries: list.rows.map { AuditRecord($0, for: call) },
            next: list.next(by: filter)?.text
        )
        return .json(page)
    }

    package static let one = APIOperation(
        "showAuditEntry",
        .audit,
        "One entry",
        path: .id("id", "The entry's id."),
        answer: .ok(AuditRecord.self, "The entry.")
    )

    /// `GET /admin/audit/{id}`, from the primary: the reader may have just done what it shows.
    @Sendable package func show(_ call: APIRequest) async throws -> Response {
        guard let id = UUID(uuidString: try call.parameter("id")),
            let row = try await database.readPrimary({
                try await $0.screens.auditEntry(id, scope: call.auditScope)
            })
        else { throw WebError(.notFound, "There is no such entry.") }
        return .json(AuditRecord(row, for: call))
    }
}

extension APIRequest {
    /// The audit entries of the app that the call is for, and no others.
    fileprivate var auditScope: AuditScope {
        AuditScope(viewer: token.staff, apps: .only([app]), seesAccounts: false, seesOwn: false)
    }
}

extension AuditFilter {
    fileprivate static let actorParameter = QueryParameter.search(
        "actor",
        "An e-mail address, or the program that acted."
    )
    fileprivate static let actionParameter = QueryParameter.search(
        "action",
        "`refund.approve`, or `refund` for everything that was done with refunds."
    )
    fileprivate static let objectTypeParameter = QueryParameter.search("objectType")
    fileprivate static let objectIDParameter = QueryParameter.search("objectId")
    fileprivate static let firstDay = QueryParameter.day("from", "On this day or later, by the app's clock.")
    fileprivate static let lastDay = QueryParameter.day("to", "On this day or earlier.")

    fileprivate init(_ query: URLEncoded) throws(WebError) {
        let question = ListParameters(query)
        self.init()
        actor = try question.value(Self.actorParameter) ?? ""
        action = try question.value(Self.actionParameter) ?? ""
        objectType = try question.value(Self.objectTypeParameter) ?? ""
        objectID = try question.value(Self.objectIDParameter) ?? ""
        from = try question.value(Self.firstDay)
        to = try question.value(Self.lastDay)
        position = try question.position(of: .auditWritten)
    }
}
