package import Billing
import Foundation
import JWTKit
package import Storage

/// What a customer may use, for a device or an app's own server to read without a connection.
package struct EntitlementClaims: Sendable, Hashable {
    package var environment: StoreEnvironment
    package var externalID: String?
    /// As the APIs spell it.
    package var status: String
    package var source: String?
    package var entitlement: Entitlement?
    /// The code of the plan; nil for an app that gives nothing for nothing.
    package var plan: String?
    /// What the plan includes, by the code of the feature.
    package var features: [String: FeatureLimits]
    /// The plans that the app's products give, by the store's identifier.
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
    /// Signs what a customer may use with the keys of access tokens (JWT, ES256). It is good for as long as the app's catalogue says, at
    /// most until the access in it ends: whoever reads only `exp` lets nobody in too long.
    ///
    /// - Parameter hours: from now; of the app's catalogue.
    /// - Throws: as access tokens are signed.
    package func sign(_ claims: EntitlementClaims, for session: CustomerSession, hours: Int) async throws -> String {
        let now = database.now
        let end = now.addingTimeInterval(Double(hours) * 3_600)
        let signed = SignedEntitlement(
            claims,
            of: session,
            from: now,
            until: min(end, claims.entitlement?.until ?? end)
        )
        return try await accessTokens.sign(signed, type: SignedEntitlement.type).revealed
    }
}

/// The claims as they are written (RFC 7519); times are seconds since 1970.
struct SignedEntitlement: JWTPayload {
    /// The header's `typ`: an access token has another, and neither is taken for the other (RFC 8725, 3.11).
    static let type = "entitlement+jwt"

    var iss: String
    /// The app's slug.
    var aud: String
    /// The customer's id.
    var sub: String
    var iat: Int64
    var exp: Int64
    var environment: String
    var externalId: String?
    var version: Int64
    var planType: String?
    var status: String
    var source: String?
    var productId: String?
    /// When the access ends; nil for access without end.
    var expiresAt: Int64?
    var willRenew: Bool
    /// The limits of what is included, by feature and window.
    var features: [String: [String: Int64]]
    var products: [String: String]

    init(_ claims: EntitlementClaims, of session: CustomerSession, from start: Date, until end: Date) {
        iss = AccessTokenClaims.issuer
        aud = session.appSlug
        sub = session.customer.description
        iat = Self.seconds(start)
        exp = Self.seconds(end)
        environment = claims.environment.name
        externalId = claims.externalID
        version = session.version
        planType = claims.plan
        status = claims.status
        source = claims.source
        productId = claims.entitlement?.productID
        expiresAt = (claims.entitlement?.until).map(Self.seconds)
        willRenew = claims.entitlement?.willRenew ?? false
        features = claims.features.mapValues { limits in
            UsageWindow.allCases.reduce(into: [:]) { $0[$1.rawValue] = limits[$1] }
        }
        products = claims.products
    }

    /// Nothing here checks one: that is for whoever reads it without a connection.
    func verify(using algorithm: some JWTAlgorithm) async throws {}

    private static func seconds(_ date: Date) -> Int64 { Int64(bounding: date.timeIntervalSince1970.rounded(.down)) }
}
