import APITypes
import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

extension CustomerEntitlement {
    /// - Parameters:
    ///   - held: the sources of the entitlement; nil for a customer whom nobody has named yet.
    ///   - usage: the customer's usage; nil where that was not asked.
    ///   - externalID: the app's own id of the customer.
    ///   - version: the version of the whole answer.
    ///   - accountToken: the app account token for their next purchase, where they ask themselves.
    init(
        _ held: EntitlementSources?,
        _ catalog: AppCatalog,
        _ usage: CustomerUsage? = nil,
        _ increases: [FeatureRecord.ID: LimitIncreases] = [:],
        of customer: Customer.ID?,
        called externalID: String?,
        version: Int64,
        accountToken: UUID? = nil,
        in strings: Strings,
        at now: Date
    ) {
        let entitlement = held?.entitlement(at: now)
        let code = catalog.planCode(of: held, at: now)
        let plan = catalog.plans.first { $0.plan.code == code }
        self.init(
            userId: customer?.uuid,
            externalId: externalID,
            version: version,
            environment: (entitlement.flatMap { held?.environment(of: $0.source) } ?? .production).name,
            planType: code,
            planName: plan?.name(in: "\(strings.tag)"),
            status: (entitlement?.state ?? .active).rawValue.uppercased(),
            source: entitlement.flatMap { held?.apiSource(of: $0.source) },
            productId: entitlement?.productID,
            expiresAt: entitlement?.until,
            willRenew: entitlement?.willRenew ?? false,
            features: catalog.features.map {
                FeatureEntitlement($0, with: code, of: catalog, usage, increases[$0.id], in: strings, at: now)
            },
            appAccountToken: accountToken,
            serverTime: now
        )
    }
}

extension FeatureEntitlement {
    /// - Parameters:
    ///   - plan: the customer's plan.
    ///   - usage: their usage, with the limits in force; nil where that was not asked.
    ///   - increases: the increases that staff gave beyond the plan's limits, where usage was not asked.
    init(
        _ record: FeatureRecord,
        with plan: String?,
        of catalog: AppCatalog,
        _ usage: CustomerUsage?,
        _ increases: LimitIncreases? = nil,
        in strings: Strings,
        at now: Date
    ) {
        let feature = record.feature
        let code = feature.feature.code
        let known = usage?.features.first { $0.feature == code }
        let windows = known?.usage.windows ?? []
        var (limits, required, reason): ([FeatureLimit], String?, String?) = ([], nil, nil)
        switch FeatureAccess(to: code, with: plan, of: catalog.plans) {
        case .included(let included):
            limits = UsageWindow.allCases.compactMap { window in
                included.increased(by: increases, at: now)[window].map { limit in
                    let used = windows.first { $0.window == window }
                    return FeatureLimit(
                        window: window.rawValue,
                        limit: used?.limit ?? limit,
                        used: used?.used,
                        remaining: used?.remaining,
                        resetsAt: used?.resetsAt
                    )
                }
            }
            if windows.contains(where: { $0.remaining == 0 }) { reason = "limitReached" }
        case .tierRequired(let plan): (required, reason) = (plan, "tierRequired")
        }
        if let known, known.creditsLeft > 0 { (required, reason) = (nil, nil) }
        self.init(
            feature: code,
            name: feature.name(in: "\(strings.tag)"),
            allowed: reason == nil,
            reason: reason,
            requiredPlan: required,
            limits: limits
        )
    }
}
