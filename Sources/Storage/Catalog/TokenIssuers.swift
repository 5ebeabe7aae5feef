package import Billing
import Postgres

/// An app's own issuer as it is stored: its shared secret is sealed.
package struct StoredTokenIssuer: Sendable {
    package var app: App.ID
    /// Without the shared secret.
    package var issuer: TokenIssuer
    /// Of the catalogue.
    package var sealedSecret: [UInt8]?
    /// Oldest first.
    package var uploads: [StoredIssuerSecret] = []

    /// True if it signs with secrets that staff upload: it has no public keys, and its catalogue names no secret.
    package var takesUploads: Bool { issuer.keySetURL == nil && sealedSecret == nil }

    static let query: Query = """
        SELECT app_id, issuer, audience, key_set_url, sealed_secret, algorithms, claim, leeway_seconds, longest_lifetime_seconds
        FROM token_issuers
        """

    init(row: Row) throws {
        let (app, issuer, audience, url, sealed, algorithms, claim, leeway, lifetime) = try row.decode(
            App.ID.self,
            String.self,
            String.self,
            String?.self,
            [UInt8]?.self,
            [String].self,
            String.self,
            Int32.self,
            Int32.self
        )
        self.app = app
        sealedSecret = sealed
        self.issuer = TokenIssuer(
            issuer: issuer,
            audience: audience,
            keySetURL: url,
            algorithms: algorithms.compactMap(TokenIssuer.Algorithm.init(rawValue:)),
            claim: claim,
            leeway: Int(leeway),
            longestLifetime: Int(lifetime)
        )
    }
}

extension CatalogWrites {
    /// The app of another catalogue that has this issuer and audience; nil for nobody's.
    package func app(withTokensOf issuer: TokenIssuer, otherThan slug: String) async throws -> String? {
        try await transaction.query(
            """
            SELECT a.slug
            FROM token_issuers i
            JOIN apps a ON a.id = i.app_id
            WHERE i.issuer = \(issuer.issuer) AND i.audience = \(issuer.audience) AND a.slug <> \(slug)
            """
        ).first?.decode(0, as: String.self)
    }

    /// - Parameter sealedSecret: nil for an issuer with public keys.
    package func save(issuer: TokenIssuer, sealedSecret: [UInt8]?, of app: App.ID) async throws {
        try await transaction.query(
            """
            INSERT INTO token_issuers
                (app_id, issuer, audience, key_set_url, sealed_secret, algorithms, claim, leeway_seconds, longest_lifetime_seconds)
            VALUES
                (\(app), \(issuer.issuer), \(issuer.audience), \(issuer.keySetURL), \(sealedSecret),
                 \(issuer.algorithms.map(\.rawValue)), \(issuer.claim), \(issuer.leeway, as: Int32.self),
                 \(issuer.longestLifetime, as: Int32.self))
            ON CONFLICT (app_id) DO UPDATE
            SET issuer = excluded.issuer, audience = excluded.audience, key_set_url = excluded.key_set_url,
                sealed_secret = excluded.sealed_secret, algorithms = excluded.algorithms, claim = excluded.claim,
                leeway_seconds = excluded.leeway_seconds, longest_lifetime_seconds = excluded.longest_lifetime_seconds
            """
        )
    }

    package func removeIssuer(of app: App.ID) async throws {
        try await transaction.query("DELETE FROM token_issuers WHERE app_id = \(app)")
    }

    func readIssuer(into stored: inout StoredCatalog) async throws {
        let row = try await transaction.query("\(StoredTokenIssuer.query) WHERE app_id = \(stored.app)").first
        guard let issuer = try row.map(StoredTokenIssuer.init(row:)) else { return }
        stored.catalog.tokenIssuer = issuer.issuer
        stored.sealedIssuerSecret = issuer.sealedSecret
    }
}
