import APITypes
import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
import Storage

/// Answers purchases outside of a store as JSON, for programs.
package struct AdminExternalPurchasesController: Sendable {
    let backOffice: BackOffice

    private var database: Database { backOffice.database }

    package static let list = APIOperation(
        "listExternalPurchases",
        .queues,
        "Purchases outside of a store that have to be reported to it",
        "Those of which the store spoke last come first. They are reported at the store; here staff note that they were.",
        query: [shownParameter, PageParameter()],
        answer: .ok(ExternalPurchasePage.self, "A page of 25.")
    )

    /// `GET /admin/external-purchases`
    @Sendable package func index(_ call: APIRequest) async throws -> Response {
        let question = ListParameters(call.query)
        let filter = ExternalPurchaseFilter(
            shown: try question.value(Self.shownParameter) ?? .all,
            position: try question.position(of: .externalPurchaseToken)
        )
        let list = try await database.read { try await $0.screens.externalPurchases(of: call.app, filter) }
        let page = ExternalPurchasePage(
            externalPurchases: list.rows.map { ExternalPurchase($0) },
            next: list.next(by: filter)?.text
        )
        return .json(page)
    }

    private static let shownParameter = QueryParameter(
        "show",
        ExternalPurchaseFilter.Shown.self,
        "Which ones: all, those that are due, or by what the store said last."
    )
}

extension ExternalPurchase {
    fileprivate init(_ token: ExternalPurchaseToken) {
        self.init(
            id: token.id.uuid,
            source: token.store.source,
            environment: token.environment.name,
            externalPurchaseId: token.externalPurchaseID,
            state: token.state.rawValue.uppercased(),
            isDue: token.isDue,
            tokenType: token.tokenType,
            tokenCreatedAt: token.createdAt,
            tokenExpiresAt: token.expiresAt,
            toldAt: token.toldAt,
            reportedAt: token.reportedAt
        )
    }
}
