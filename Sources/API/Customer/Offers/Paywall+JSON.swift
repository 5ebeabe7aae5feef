import APITypes
import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

extension Paywall {
    /// - Parameters:
    ///   - store: the store whose products it shows; nil for every store.
    ///   - customer: the customer with their usage; nil for somebody who is not signed in.
    init(
        _ catalog: AppCatalog,
        of app: AppRecord,
        at store: Store?,
        for customer: (call: CustomerRequest, usage: CustomerUsage)?,
        _ wording: OfferWording
    ) {
        let (strings, copy) = (wording.strings, catalog.paywall)
        let language = "\(strings.tag)"
        self.init(
            app: app.slug,
            title: copy.title.text(in: language),
            headline: copy.headline.text(in: language),
            subscribe: copy.subscribe.text(in: language),
            termsUrl: copy.termsURL,
            privacyUrl: copy.privacyURL,
            plans: catalog.plans.map { PaywallPlan($0, of: catalog, in: strings) },
            products: catalog.plans.flatMap { plan in
                let products = catalog.products(of: plan, at: store)
                return products.map { PaywallProduct($0, of: plan, beside: products, wording) }
            },
            locked: LockedFeature.all(of: catalog, for: customer?.usage, in: strings),
            customer: customer.map { call, usage in
                CustomerEntitlement(
                    usage.held,
                    catalog,
                    usage,
                    of: call.customer,
                    called: call.session.externalID,
                    version: call.session.version,
                    accountToken: call.session.accountToken,
                    in: strings,
                    at: usage.readAt
                )
            }
        )
    }
}

extension PaywallPlan {
    fileprivate init(_ plan: CatalogPlan, of catalog: AppCatalog, in strings: Strings) {
        let language = "\(strings.tag)"
        self.init(
            plan: plan.plan.code,
            name: plan.name(in: language),
            benefits: plan.benefits.map { PaywallBenefit(text: $0.text.text(in: language) ?? "", icon: $0.icon) },
            features: catalog.features.compactMap { record in
                plan.features[record.code].map { limits in
                    PaywallFeature(
                        feature: record.code,
                        name: record.feature.name(in: language),
                        limits: PlanLimit.all(of: limits)
                    )
                }
            }
        )
    }
}

extension PlanLimit {
    /// Returns the limits, the shortest window first.
    fileprivate static func all(of limits: FeatureLimits) -> [PlanLimit] {
        UsageWindow.allCases.compactMap { window in
            limits[window].map { PlanLimit(window: window.rawValue, limit: $0) }
        }
    }
}

extension LockedFeature {
    /// Returns the locked features, in the order of the app's features.
    ///
    /// - Parameter usage: the customer's usage; nil for the plan that everybody has.
    fileprivate static func all(
        of catalog: AppCatalog,
        for usage: CustomerUsage?,
        in strings: Strings
    ) -> [LockedFeature] {
        let plan = usage?.plan ?? catalog.basePlan?.plan.code
        return catalog.features.compactMap { record in
            switch FeatureAccess(to: record.code, with: plan, of: catalog.plans) {
            case .tierRequired(let required):
                let name = catalog.plans.first { $0.plan.code == required }?.name(in: "\(strings.tag)")
                let message = strings.tierRequired(feature: record.feature.name(in: "\(strings.tag)"), plan: name)
                return LockedFeature(record, "tierRequired", message, by: required, of: catalog, in: strings)
            case .included:
                guard let usage, let used = usage.features.first(where: { $0.feature == record.code }),
                    let reached = used.usage.reached(by: 1), let limit = reached.limit
                else { return nil }
                let opening = catalog.plan(above: plan, opening: used, at: usage.readAt)
                let message = strings.limitReached(record.feature, limit, in: reached.window)
                return LockedFeature(record, "limitReached", message, by: opening, of: catalog, in: strings)
            }
        }
    }

    /// Makes nil where no plan opens it.
    private init?(
        _ record: FeatureRecord,
        _ reason: String,
        _ message: String,
        by required: String?,
        of catalog: AppCatalog,
        in strings: Strings
    ) {
        guard let plan = catalog.plans.first(where: { $0.plan.code == required }) else { return nil }
        self.init(
            feature: record.code,
            name: record.feature.name(in: "\(strings.tag)"),
            reason: reason,
            message: message,
            requiredPlan: plan.plan.code,
            requiredPlanName: plan.name(in: "\(strings.tag)"),
            limits: PlanLimit.all(of: plan.features[record.code] ?? .unlimited)
        )
    }
}

extension AppCatalog {
    /// Returns the lowest plan above one under which a feature could be used once more now, with the increases that staff gave; nil
    /// where there is none.
    fileprivate func plan(above code: String?, opening used: FeatureUsage, at now: Date) -> String? {
        let rank = plans.first { $0.plan.code == code }?.plan.rank ?? -1
        let opening = plans.filter { plan in
            guard plan.plan.rank > rank,
                let limits = plan.features[used.feature]?.increased(by: used.increases, at: now)
            else { return false }
            return used.usage.windows.allSatisfy { window in limits[window.window].map { $0 > window.used } ?? true }
        }
        return opening.min { $0.plan < $1.plan }?.plan.code
    }
}
