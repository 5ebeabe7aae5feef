import APITypes
import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
import Storage

extension AdminUsageController {
    package static let nearLimits = APIOperation(
        "listNearLimits",
        .customers,
        "Customers who have used 80 % of a limit or more",
        """
        Those first whose limit resets first. A limit is judged by what the customer may use now: who was given more, or has another plan, \
        is not there. A customer who was given less appears with their next use.
        """,
        query: [featureParameter, PageParameter()],
        answer: .ok(NearLimitPage.self, "A page of 25.")
    )

    private static let featureParameter = QueryParameter.name(
        "feature",
        longest: 64,
        "Only of this feature, by its code."
    )

    /// `GET /admin/near-limits`
    @Sendable package func nearLimits(_ call: APIRequest) async throws -> Response {
        let parameters = ListParameters(call.query)
        let filter = NearLimitFilter(
            feature: try parameters.value(Self.featureParameter),
            position: try parameters.position(of: .nearLimit)
        )
        let list = try await backOffice.database.read { reader in
            try await reader.usage.nearLimits(
                filter,
                app: call.app,
                zone: call.zone,
                seesPersonalData: call.seesPersonalData
            )
        }
        let page = NearLimitPage(
            limits: list.rows.map { NearLimitItem($0, for: call) },
            next: list.next(by: filter)?.text
        )
        return .json(page)
    }
}

extension NearLimitItem {
    fileprivate init(_ row: NearLimit, for reader: some PersonalDataReader) {
        self.init(
            customerId: row.customer.id.uuid,
            key: row.customer.key,
            externalId: row.customer.externalID,
            name: row.customer.name?.shown(to: reader),
            email: row.customer.email?.shown(to: reader),
            feature: row.feature.feature.code,
            window: row.usage.window.rawValue,
            used: row.usage.used,
            limit: row.usage.limit ?? 0,
            resetsAt: row.usage.resetsAt
        )
    }
}
