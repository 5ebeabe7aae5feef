import Billing
import HTTP
package import Operations
import Storage
import Words

extension CustomerRequest {
    /// Returns the error to throw in place of `error`: a refusal by the customer's plan names feature and plan as the app's
    /// catalogue does, in the customer's language.
    package func naming(_ error: any Error, _ catalogs: RememberedCatalogs) async -> any Error {
        guard let refusal = (error as? OperationsError)?.underlying as? UsageRefusal,
            let catalog = try? await catalogs.catalog(of: app, version: session.catalogVersion)
        else { return error }
        var failure = ErrorTable.webError(for: error)
        failure.customerMessage = refusal.text(catalog, strings)
        return failure
    }
}

extension UsageRefusal {
    /// Returns the message; nil for a feature that the catalogue has lost meanwhile.
    fileprivate func text(_ catalog: AppCatalog, _ strings: Strings) -> String? {
        switch self {
        case .tierRequired(let code, let plan):
            let plan = catalog.plans.first { $0.plan.code == plan }
            return catalog.feature(code).map { record in
                let (feature, plan) = (record.feature.name(in: "\(strings.tag)"), plan?.name(in: "\(strings.tag)"))
                return strings.tierRequired(feature: feature, plan: plan)
            }
        case .limitReached(let code, let reached):
            guard let record = catalog.feature(code), let limit = reached.limit else { return nil }
            return strings.limitReached(record.feature, limit, in: reached.window)
        }
    }
}
