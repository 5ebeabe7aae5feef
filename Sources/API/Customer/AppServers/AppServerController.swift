import APITypes
import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
import Storage
import Words

/// Answers an app's own server about its customers, and mints their tokens.
package struct AppServerController: Sendable {
    let backOffice: BackOffice

    package static let one = APIOperation(
        "showAppCustomer",
        .servers,
        "A customer",
        "Whom the app has not named yet is not found.",
        path: .externalID,
        answer: .ok(AppCustomer.self, "The customer.")
    )

    /// `GET /customers/{externalId}`
    @Sendable package func show(_ call: AppServerRequest) async throws -> Response {
        let name = try call.parameter("externalId")
        let customer = try await backOffice.customer(named: name, of: call.app)
        let catalog = try await backOffice.catalogs.catalog(of: call.app, version: customer.catalogVersion)
        let held = try await backOffice.entitlements.sources(of: customer)
        let now = backOffice.database.now
        let entitlement = held.entitlement(at: now)
        return .json(
            AppCustomer(
                userId: customer.customer.uuid,
                externalId: name,
                planType: catalog.planCode(of: held, at: now),
                status: (entitlement?.state ?? .active).rawValue.uppercased(),
                expiresAt: entitlement?.until,
                firstSeenAt: customer.firstSeenAt,
                appAccountToken: customer.accountToken,
                serverTime: now
            )
        )
    }

    package static let entitlements = APIOperation(
        "showCustomerEntitlements",
        .servers,
        "What a customer may use now",
        "A customer whom nobody has named yet has the plan that everybody has.",
        path: .externalID,
        answer: .ok(CustomerEntitlement.self, "The plan, and every feature of the app.")
    )

    /// `GET /customers/{externalId}/entitlements`
    @Sendable package func entitlements(_ call: AppServerRequest) async throws -> Response {
        .json(try await read([try call.parameter("externalId")], call)[0])  // safe: one for each id
    }

    package static let batch = APIOperation(
        "listCustomerEntitlements",
        .servers,
        "What up to 100 customers may use now",
        body: EntitlementBatchRequest.body,
        takesKey: false,
        answer: .ok(EntitlementBatch.self, "One for each.")
    )

    /// `POST /customers/entitlements`
    @Sendable package func batch(_ call: AppServerRequest) async throws -> Response {
        let ids = try await call.request.json(EntitlementBatchRequest.self).value.customers ?? []
        guard !ids.isEmpty else { throw OperationsError(problems: [FieldProblem("customers", .missing)]) }
        guard ids.count <= Self.most else {
            throw OperationsError(problems: [FieldProblem("customers", .tooMany(Self.most))])
        }
        let problems = ids.enumerated().flatMap { index, id in
            PurchaseRequest.problems(ofExternalID: id, field: "customers.\(index)")
        }
        guard problems.isEmpty else { throw OperationsError(problems: problems) }
        return .json(EntitlementBatch(entitlements: try await read(ids, call)))
    }

    package static let mint = APIOperation(
        "mintCustomerToken",
        .servers,
        "Makes an access token for a customer",
        "For an app with sign-in of its own: its server vouches for the customer. Who is named for the first time is made.",
        path: .externalID,
        body: MintedTokenRequest.body,
        takesKey: false,
        answer: .created(MintedToken.self, "The token, this once.")
    )

    /// `POST /customers/{externalId}/tokens`
    @Sendable package func mint(_ call: AppServerRequest) async throws -> Response {
        let sent = try await call.request.json(MintedTokenRequest.self).value
        let tokens = try await backOffice.mintToken(
            for: CustomerIdentity(
                externalID: try call.parameter("externalId"),
                isAnonymous: sent.isAnonymous ?? false,
                accountToken: sent.appAccountToken
            ),
            of: call.app,
            lifetime: 3_600,
            caller: call.caller
        )
        let minted = MintedToken(
            accessToken: tokens.accessToken.revealed,
            expiresAt: tokens.expiresAt,
            tokenType: "Bearer",
            userId: tokens.customer.uuid
        )
        return .json(minted, status: .created)
    }

    /// - Returns: one entitlement for each id, in the order of the ids.
    private func read(_ ids: [String], _ call: AppServerRequest) async throws -> [CustomerEntitlement] {
        let named = try await backOffice.database.readPrimary { try await $0.customers(named: ids, of: call.app) }
        let catalog = try await backOffice.catalogs.catalog(of: call.app, version: named.catalogVersion)
        let increases = try await backOffice.database.readPrimary {
            try await $0.usage.increases(of: Array(named.held.keys))
        }
        let now = backOffice.database.now
        return ids.map { id in
            let customer = named.ids[id]
            return CustomerEntitlement(
                customer.flatMap { named.held[$0] },
                catalog,
                nil,
                customer.flatMap { increases[$0] } ?? [:],
                of: customer,
                called: id,
                version: named.version(of: customer),
                in: call.strings,
                at: now
            )
        }
    }

    private static let most = 100
}
