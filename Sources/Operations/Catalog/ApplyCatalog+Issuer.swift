import Billing
import Storage

extension BackOffice {
    /// A token says by issuer and audience which app it is for.
    func requireOwnIssuer(_ catalog: Catalog, in transaction: WriteTransaction) async throws {
        guard let issuer = catalog.tokenIssuer,
            let other = try await transaction.catalogs.app(withTokensOf: issuer, otherThan: catalog.app)
        else { return }
        throw OperationsError(
            .conflict,
            "tokens.audience is taken: tokens of this issuer for \(issuer.audience) open the app \(other) already.",
            field: "tokens.audience"
        )
    }

    /// Whoever has signed in with tokens of an issuer that the file no longer names is out at once.
    func saveIssuer(
        _ catalog: Catalog,
        _ stored: StoredCatalog?,
        of app: App.ID,
        in transaction: WriteTransaction,
        _ report: inout CatalogReport
    ) async throws {
        let old = stored?.catalog.tokenIssuer.map {
            accountSecrets.opened($0, stored?.sealedIssuerSecret, of: app)
        }
        guard old != catalog.tokenIssuer else { return }
        guard let issuer = catalog.tokenIssuer else {
            try await transaction.catalogs.removeIssuer(of: app)
            report.changes.append("removed token issuer")
            return
        }
        let sealed = try accountSecrets.sealed(issuer, of: app)
        try await transaction.catalogs.save(issuer: issuer, sealedSecret: sealed, of: app)
        report.changes.append("\(old == nil ? "added" : "changed") token issuer \(issuer.issuer)")
        // The secrets that staff uploaded are of the issuer that was there, and count where the file names no key.
        guard old?.issuer != issuer.issuer || issuer.keySetURL != nil || !issuer.sharedSecrets.isEmpty else { return }
        guard try await transaction.issuerSecrets.removeAll(of: app) > 0 else { return }
        report.changes.append("removed the uploaded secrets of the token issuer")
    }
}
