import APITypes
import Billing
import Foundation
import Storage

extension CustomerEntitlement {
    /// - Parameters:
    ///   - held: nil for a customer whom nobody has named yet.
    ///   - externalID: the app's own id of the customer.
    init(
        _ held: EntitlementSources?,
        _ catalog: AppCatalog,
        of customer: Customer.ID?,
        called externalID: String?,
        in strings: Strings,
        at now: Date
    ) {
        let entitlement = held?.entitlement(at: now)
        let code = entitlement?.plan.code ?? catalog.basePlan?.plan.code
        let plan = catalog.plans.first { $0.plan.code == code }
        self.init(
            userId: customer?.uuid,
            externalId: externalID,
            planType: code,
            planName: plan?.name(in: "\(strings.tag)"),
            status: (entitlement?.state ?? .active).rawValue.uppercased(),
            source: entitlement.flatMap { held?.apiSource(of: $0.source) },
            productId: entitlement?.productID,
            expiresAt: entitlement?.until,
            willRenew: entitlement?.willRenew ?? false,
            features: catalog.features.map { FeatureEntitlement($0, with: code, of: catalog, in: strings) },
            serverTime: now
        )
    }
}

extension FeatureEntitlement {
    /// - Parameter plan: what the customer has.
    init(_ record: FeatureRecord, with plan: String?, of catalog: AppCatalog, in strings: Strings) {
        let feature = record.feature
        let code = feature.feature.code
        var (limits, required, isAllowed): ([FeatureLimit], String?, Bool) = ([], nil, true)
        switch FeatureAccess(to: code, with: plan, of: catalog.plans) {
        case .included(let included):
            limits = UsageWindow.allCases.compactMap { window in
                included[window].map { FeatureLimit(window: window.rawValue, limit: $0) }
            }
        case .tierRequired(let plan): (required, isAllowed) = (plan, false)
        }
        self.init(
            feature: code,
            name: feature.name(in: "\(strings.tag)"),
            allowed: isAllowed,
            reason: isAllowed ? nil : "tierRequired",
            requiredPlan: required,
            limits: limits
        )
    }
}
