import APITypes
import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
import Storage

/// Answers reconciliations with the stores as JSON, for programs.
package struct AdminReconciliationsController: Sendable {
    let backOffice: BackOffice

    private var database: Database { backOffice.database }

    package static let list = APIOperation(
        "listReconciliations",
        .queues,
        "What was found missing when stores were asked, newest first",
        "Each hour, every store that can be asked is asked what it sent and where subscriptions stand.",
        query: [PageParameter()],
        answer: .ok(ReconciliationPage.self, "A page of 25.")
    )

    /// `GET /admin/reconciliations`
    @Sendable package func index(_ call: APIRequest) async throws -> Response {
        let question = ListParameters(call.query)
        let filter = ReconciliationFilter(position: try question.position(of: .reconciliationStarted))
        let list = try await database.read { try await $0.screens.reconciliations(of: call.app, filter) }
        let page = ReconciliationPage(
            reconciliations: list.rows.map { ReconciliationItem($0) },
            next: list.next(by: filter)?.text
        )
        return .json(page)
    }
}

extension ReconciliationItem {
    fileprivate init(_ row: Reconciliation) {
        self.init(
            id: row.id.uuid,
            source: row.store.source,
            environment: row.environment.name,
            trigger: row.trigger.rawValue,
            readFrom: row.readFrom,
            readTo: row.readTo,
            startedAt: row.startedAt,
            finishedAt: row.finishedAt,
            notificationsRead: row.counts.read,
            notificationsUndelivered: row.counts.undelivered,
            notificationsMissed: row.counts.missed,
            notificationsRejected: row.counts.rejected,
            subscriptionsChecked: row.counts.checked,
            subscriptionsCorrected: row.counts.corrected,
            subscriptionsUnknown: row.counts.unknown,
            problem: row.problem
        )
    }
}
