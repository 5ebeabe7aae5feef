import Billing
import Storage

extension BackOffice {
    /// A limit that the file no longer has is the installation's again.
    func saveRateLimits(
        _ catalog: Catalog,
        _ stored: StoredCatalog?,
        of app: App.ID,
        in transaction: WriteTransaction,
        _ report: inout CatalogReport
    ) async throws {
        guard catalog.rateLimits != stored?.catalog.rateLimits ?? [:] else { return }
        try await transaction.catalogs.save(rateLimits: catalog.rateLimits, of: app)
        report.changes.append("changed rate limits")
    }
}
