package import Billing
import Foundation
import Gateways
package import Storage

/// A customer's entitlement, for a device or an app's own server to read offline.
package struct EntitlementClaims: Sendable, Hashable {
    package var environment: StoreEnvironment
    package var externalID: String?
    /// The APIs' spelling.
    package var status: String
    package var source: String?
    package var entitlement: Entitlement?
    /// The code of the plan; nil for an app without a free plan.
    package var plan: String?
    /// The plan's features by code.
    package var features: [String: FeatureLimits]
    /// The plans of the app's products, by the store's identifier.
    package var products: [String: String]

    package init(
        environment: StoreEnvironment,
        externalID: String?,
        status: String,
        source: String?,
        entitlement: Entitlement?,
        plan: String?,
        features: [String: FeatureLimits],
        products: [String: String]
    ) {
        self.environment = environment
        self.externalID = externalID
        self.status = status
        self.source = source
        self.entitlement = entitlement
        self.plan = plan
        self.features = features
        self.products = products
    }
}

extension BackOffice {
    /// Signs a customer's entitlement with the keys of access tokens (JWT, ES256). It is valid for as long as the app's catalogue says, at
    /// most until the access in it ends: a reader of `exp` alone grants nobody access for too long.
    ///
    /// - Parameter hours: the time from now, by the app's catalogue.
    /// - Throws: as the signing of access tokens.
    package func sign(_ claims: EntitlementClaims, for session: CustomerSession, hours: Int) async throws -> String {
        let now = database.now
        let end = now.addingTimeInterval(Double(hours) * 3_600)
        let signed = SignedEntitlement(
            claims,
            of: session,
            from: now,
            until: min(end, claims.entitlement?.until ?? end)
        )
        return try await accessTokens.sign(signed.json, type: SignedEntitlement.type).revealed
    }
}

/// The claims as they are written (RFC 7519); times are seconds since 1970. Nothing here reads one: that is for whoever has no connection.
struct SignedEntitlement {
    /// The header's `typ`: an access token has another, and neither is taken for the other (RFC 8725, 3.11).
    static let type = "entitlement+jwt"

    private let claims: EntitlementClaims
    private let session: CustomerSession
    private let start: Date
    private let end: Date

    init(_ claims: EntitlementClaims, of session: CustomerSession, from start: Date, until end: Date) {
        self.claims = claims
        self.session = session
        self.start = start
        self.end = end
    }

    var json: JSON {
        var json: JSON = [
            "iss": .string(AccessTokenClaims.issuer),
            "aud": .string(session.appSlug),
            "sub": .string(session.customer.description),
            "iat": Self.seconds(start),
            "exp": Self.seconds(end),
            "environment": .string(claims.environment.name),
            "version": .integer(session.version),
            "status": .string(claims.status),
            "willRenew": .bool(claims.entitlement?.willRenew ?? false),
            "features": Self.object(claims.features.mapValues(Self.limits)),
            "products": Self.object(claims.products.mapValues(JSON.string)),
        ]
        json["externalId"] = claims.externalID.map(JSON.string)
        json["planType"] = claims.plan.map(JSON.string)
        json["source"] = claims.source.map(JSON.string)
        json["productId"] = (claims.entitlement?.productID).map(JSON.string)
        // Access without end has none.
        json["expiresAt"] = (claims.entitlement?.until).map(Self.seconds)
        return json
    }

    /// The limits of a feature, by window.
    private static func limits(_ limits: FeatureLimits) -> JSON {
        object(UsageWindow.allCases.reduce(into: [:]) { $0[$1.rawValue] = limits[$1].map(JSON.integer) })
    }

    private static func object(_ values: [String: JSON]) -> JSON {
        .object(values.sorted { $0.key < $1.key }.map { JSON.Member(name: $0.key, value: $0.value) })
    }

    private static func seconds(_ date: Date) -> JSON {
        .integer(Int64(bounding: date.timeIntervalSince1970.rounded(.down)))
    }
}
