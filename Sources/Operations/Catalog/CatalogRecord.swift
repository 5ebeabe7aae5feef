import Billing
import Foundation
import Storage

/// An applied catalogue as the audit log keeps it: the values before and after of the parts that differ. Of secrets only the names are
/// kept.
struct CatalogRecord {
    let before: String?
    let after: String

    /// - Parameters:
    ///   - old: nil for an app that was not there.
    ///   - changes: in words; a secret that was replaced differs in nothing else.
    init(from old: Catalog?, to new: Catalog, changes: [String]) {
        let (past, present) = (old.map(Self.parts) ?? [:], Self.parts(new))
        let names = Set(past.keys).union(present.keys).filter { past[$0] != present[$0] }.sorted()
        before = old == nil ? nil : AuditJSON(names.map { ($0, past[$0]) }).text
        after = AuditJSON([("changes", changes.joined(separator: "; "))] + names.map { ($0, present[$0]) }).text
    }

    private static func parts(_ catalog: Catalog) -> [String: String] {
        var parts = [
            "name": catalog.name,
            "timeZone": catalog.timeZone,
            "reportingCurrency": catalog.reportingCurrency.code,
            "supportGrantLimitDays": String(catalog.supportGrantLimitDays),
            "bulkApprovalFrom": String(catalog.bulkApprovalFrom),
            "trialConversionDays": String(catalog.trialConversionDays),
            "offlineHours": String(catalog.offlineHours),
            "checkoutMinutes": String(catalog.checkoutMinutes),
            "transferBehavior": catalog.transferBehavior.rawValue,
            "ownerHint": catalog.ownerHint.rawValue,
            "sandboxAccess": catalog.sandboxAccess.rawValue,
            "refundSelfApprovalLimit": catalog.refunds.selfApprovalLimit.map { "\($0)" } ?? "none",
            "refundTypedConfirmationFrom": "\(catalog.refunds.typedConfirmationFrom)",
            "refundRequestExpiresAfterDays": String(catalog.refunds.requestExpiresAfterDays),
        ]
        parts["corsOrigins"] = catalog.corsOrigins.isEmpty ? nil : catalog.corsOrigins.sorted().joined(separator: ", ")
        parts["trial"] = catalog.trial.map { trial in
            "\(trial.plan) for \(text(trial.period)), of \(trial.products.sorted().joined(separator: ", "))"
        }
        parts["tokenIssuer"] = catalog.tokenIssuer.map(text)
        parts["paywall"] = text(catalog.paywall)
        for (store, account) in catalog.accounts { parts["account \(store.rawValue)"] = text(account) }
        for (store, fee) in catalog.fees { parts["fees \(store.rawValue)"] = feeText(fee, at: store) }
        for (policy, limit) in catalog.rateLimits {
            parts["rateLimit \(policy.rawValue)"] = "\(limit.calls) calls in \(limit.seconds) seconds"
        }
        for feature in catalog.features {
            parts["feature \(feature.feature.code)"] =
                ([feature.name] + [text(feature.names), text(feature.limitReached)])
                .compactMap { $0 }.joined(separator: "; ")
        }
        for plan in catalog.plans {
            let code = plan.plan.code
            parts["plan \(code)"] =
                (["rank \(plan.plan.rank)", plan.name]
                + [text(plan.names)].compactMap { $0 } + plan.benefits.compactMap { text($0.text) }).joined(
                    separator: "; "
                )
            for (feature, limits) in plan.features { parts["plan \(code), \(feature)"] = text(limits) }
        }
        for product in catalog.products { parts["product \(product.store.rawValue) \(product.id)"] = text(product) }
        parts.merge(consumption(catalog.consumption)) { first, _ in first }
        return parts
    }

    private static func consumption(_ policy: ConsumptionPolicy) -> [String: String] {
        guard policy != ConsumptionPolicy() else { return [:] }
        var parts = [
            "consumption": "\(policy.sending.rawValue), samples \(policy.providesSamples ? "provided" : "not provided")"
        ]
        for (index, rule) in policy.rules.enumerated() {
            let bounds = [("age", rule.ageInDays), ("refunds", rule.refunds), ("used", rule.usedPercent)].compactMap {
                name,
                bounds in
                bounds.from == nil && bounds.to == nil
                    ? nil : "\(name) \(bounds.from.map { String($0) } ?? "") to \(bounds.to.map { String($0) } ?? "")"
            }
            let share = rule.consumptionPercentage.map { "consumed \($0)" }
            parts["consumption rule \(index + 1)"]  // safe: an index of an array
            = ([rule.name, rule.answer.rawValue] + [rule.plan.map { "plan \($0)" }, share].compactMap { $0 } + bounds)
                .joined(separator: "; ")
        }
        return parts
    }

    private static func text(_ account: StoreAccount) -> String {
        var words = [account.identifier]
        if account.isSimulated { words.append("simulated") }
        words += account.settings.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        if !account.anchors.isEmpty { words.append("\(account.anchors.count) anchors") }
        words += account.secrets.keys.sorted().map { "secret \($0)" }
        return words.joined(separator: "; ")
    }

    private static func text(_ issuer: TokenIssuer) -> String {
        ([issuer.issuer, issuer.audience, issuer.keySetURL].compactMap { $0 }
            + ["claim \(issuer.claim)", "leeway \(issuer.leeway)", "\(issuer.sharedSecrets.count) shared secrets"]
            + issuer.algorithms.map { "\($0)" }.sorted()).joined(separator: "; ")
    }

    private static func text(_ product: CatalogProduct) -> String {
        let prices = product.prices.sorted { $0.currency.code < $1.currency.code }.map { "\($0)" }
        let credits = product.credits.sorted { $0.key < $1.key }.map { "\($0.value) credits of \($0.key)" }
        return
            ([product.name, "plan \(product.plan)"]
            + [
                product.period.map { "each \(text($0))" }, product.trial.map { "trial \(text($0))" },
                product.isConsumable ? "consumable" : nil, product.isRecommended ? "recommended" : nil,
                text(product.names),
            ].compactMap { $0 } + prices + credits).joined(separator: "; ")
    }

    private static func text(_ paywall: PaywallCopy) -> String? {
        let texts = [
            text(paywall.title), text(paywall.headline), text(paywall.subscribe), paywall.termsURL, paywall.privacyURL,
        ].compactMap { $0 }
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }

    private static func text(_ limits: FeatureLimits) -> String {
        let windows = UsageWindow.allCases.compactMap { window in limits[window].map { "\($0) a \(window.rawValue)" } }
        return windows.isEmpty ? "unlimited" : windows.joined(separator: ", ")
    }

    private static func text(_ period: BillingPeriod) -> String { "\(period.count) \(period.unit.rawValue)" }

    /// nil for no text.
    private static func text(_ texts: LocalizedText) -> String? {
        texts.isEmpty
            ? nil : texts.texts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}
