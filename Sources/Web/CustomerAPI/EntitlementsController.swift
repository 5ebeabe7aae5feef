import APITypes
import Billing
import Foundation
import Hummingbird
import Operations
import Storage

/// What a customer may use.
struct EntitlementsController: Sendable {
    let backOffice: BackOffice

    static let all = APIOperation(
        "showEntitlements",
        .entitlements,
        "What the customer may use now",
        """
        It is right at the moment it is asked: an end needs no sweep, and what was changed on any server, or in the catalogue, is in the \
        next answer.
        """,
        answer: .ok(CustomerEntitlement.self, "The plan, and every feature of the app.")
    )

    /// `GET /entitlements`
    @Sendable func index(_ call: CustomerRequest) async throws -> Response {
        let (held, catalog, usage) = try await load(call)
        let now = backOffice.database.now
        return .json(
            CustomerEntitlement(
                held,
                catalog,
                usage,
                of: call.customer,
                called: call.session.externalID,
                in: call.strings,
                at: now
            )
        )
    }

    static let one = APIOperation(
        "showFeature",
        .entitlements,
        "Whether the customer may use one feature",
        path: .name("feature", "The app's own code of it.", example: "ai"),
        answer: .ok(FeatureEntitlement.self, "The feature.")
    )

    /// `GET /entitlements/{feature}`
    @Sendable func show(_ call: CustomerRequest) async throws -> Response {
        let code = try call.parameter("feature")
        let (held, catalog, usage) = try await load(call)
        guard let record = catalog.features.first(where: { $0.feature.feature.code == code }) else {
            throw WebError(.notFound, "The app has no such feature.")
        }
        let plan = held.entitlement(at: backOffice.database.now)?.plan.code ?? catalog.basePlan?.plan.code
        return .json(FeatureEntitlement(record, with: plan, of: catalog, usage, in: call.strings))
    }

    private func load(_ call: CustomerRequest) async throws -> (EntitlementSources, AppCatalog, CustomerUsage) {
        async let usage = backOffice.usage(for: call.session)
        async let held = backOffice.database.readPrimary { reader in
            try await reader.entitlementSources.of([call.customer])[call.customer]
        }
        let catalog = try await backOffice.catalogs.catalog(of: call.app, version: call.session.catalogVersion)
        return (try await held ?? EntitlementSources(customer: call.customer), catalog, try await usage)
    }
}
