import Billing
import Foundation
import Operations

extension CatalogFile {
    /// The catalogue, after every field was checked.
    func catalog(relativeTo folder: URL) throws -> Catalog {
        guard app.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil else {
            throw invalid("app", "is a slug: lower-case letters, digits and hyphens")
        }
        guard TimeZone(identifier: timeZone) != nil else { throw invalid("timeZone", "is no IANA time zone") }
        try checkUnique(plans.map(\.code), "plans", "code")
        try checkUnique(plans.map { String($0.rank) }, "plans", "rank")
        let ids = try products.enumerated().map { try productID($1.id, "products[\($0)].id") }
        try checkUnique(zip(products, ids).map { "\($0.store) \($1)" }, "products", "id")
        let currency = try currency(reportingCurrency, "reportingCurrency")
        return Catalog(
            app: app,
            name: try text(name, "name"),
            timeZone: timeZone,
            reportingCurrency: currency,
            accounts: try accounts(relativeTo: folder),
            refunds: try refunds.map { try checked($0, in: currency) },
            features: try checkedFeatures(),
            plans: try plans.enumerated().map { try checked($1, "plans[\($0)]") },
            products: try checkedProducts(ids: ids),
            supportGrantLimitDays: try number(supportGrantLimitDays ?? 30, 0...3_650, "supportGrantLimitDays"),
            bulkApprovalFrom: try number(bulkApprovalFrom ?? 100, 1...1_000_000, "bulkApprovalFrom"),
            trialConversionDays: try number(
                trialConversionDays ?? MetricDefinitions.trialConversionDays,
                0...365,
                "trialConversionDays"
            ),
            offlineHours: try number(offlineHours ?? 24, 1...2_160, "offlineHours"),
            checkoutMinutes: try number(checkoutMinutes ?? 15, 5...120, "checkoutMinutes"),
            transferBehavior: try choice(
                purchases?.transferBehavior,
                "purchases.transferBehavior",
                without: TransferBehavior.refuse
            ),
            ownerHint: try choice(purchases?.ownerHint, "purchases.ownerHint", without: OwnerHint.provider),
            fees: try fees(),
            consumption: try consumption.map(checked) ?? ConsumptionPolicy(),
            paywall: try paywall.map(checked) ?? PaywallCopy(),
            corsOrigins: try origins(),
            tokenIssuer: try tokens.map { try issuer($0, relativeTo: folder) },
            trial: try trial.map { try checked($0, products: ids) },
            rateLimits: try checkedRateLimits(),
            sandboxAccess: try choice(sandboxAccess, "sandboxAccess", without: SandboxAccess.testers)
        )
    }

    /// One of a few words.
    private func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ text: String?,
        _ path: String,
        without usual: Choice
    ) throws -> Choice {
        guard let text else { return usual }
        guard let chosen = Choice(rawValue: text) else {
            throw invalid(path, "is one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return chosen
    }

    /// - Parameter ids: of the products, in their order.
    private func checked(_ trial: Trial, products ids: [String]) throws -> TrialOffer {
        guard let plan = plans.first(where: { $0.code == trial.plan }) else {
            throw invalid("trial.plan", "is none of the plans above: \(trial.plan)")
        }
        guard plan.rank > 0 else { throw invalid("trial.plan", "is what everybody has: \(trial.plan)") }
        guard let period = try period(trial.period, "trial.period"), TrialOffer.isPlausible(period) else {
            throw invalid("trial.period", "is from one day to a year")
        }
        let offered = try (trial.products ?? []).enumerated().map { index, product in
            let id = try productID(product, "trial.products[\(index)]")
            guard ids.contains(id) else { throw invalid("trial.products[\(index)]", "is none of the products: \(id)") }
            return id
        }
        if let index = offered.indices.first(where: { offered[..<$0].contains(offered[$0]) }) {
            throw invalid("trial.products[\(index)]", "is there twice: \(offered[index])")
        }
        return TrialOffer(plan: plan.code, period: period, products: offered)
    }

    private func checked(_ refunds: Refunds, in currency: Currency) throws -> RefundPolicy {
        var policy = RefundPolicy.standard(in: currency)
        if let limit = refunds.selfApprovalLimit {
            policy.selfApprovalLimit = try amount(limit, in: currency, "refunds.selfApprovalLimit")
        }
        if let threshold = refunds.typedConfirmationFrom {
            policy.typedConfirmationFrom = try amount(threshold, in: currency, "refunds.typedConfirmationFrom")
        }
        if let days = refunds.requestExpiresAfterDays {
            guard RefundPolicy.expiryDays.contains(days) else {
                throw invalid("refunds.requestExpiresAfterDays", "is from 1 to 3650")
            }
            policy.requestExpiresAfterDays = days
        }
        return policy
    }

    private func checked(_ entry: PlanEntry, _ path: String) throws -> CatalogPlan {
        guard (0..<1_000).contains(entry.rank) else { throw invalid("\(path).rank", "is from 0 to 999") }
        let code = try text(entry.code, "\(path).code")
        let (name, names) = try checkedName(entry.name, "\(path).name")
        return CatalogPlan(
            plan: Plan(code: code, rank: entry.rank),
            name: name,
            names: names,
            benefits: try (entry.benefits ?? []).enumerated().map { try benefit($1, "\(path).benefits[\($0)]") },
            features: try included(entry.features ?? [:], "\(path).features")
        )
    }

    /// - Parameter ids: of the products, in their order.
    private func checkedProducts(ids: [String]) throws -> [CatalogProduct] {
        let checked = try zip(products, ids).enumerated().map { index, product in
            try self.checked(product.0, id: product.1, "products[\(index)]")
        }
        var recommended: [Store: Int] = [:]
        for (index, product) in checked.enumerated() where product.isRecommended {
            guard let other = recommended.updateValue(index, forKey: product.store) else { continue }
            throw invalid(
                "products[\(index)].recommended",
                "is there twice: of \(product.store.rawValue), products[\(other)] is recommended already"
            )
        }
        return checked
    }

    private func checked(_ entry: ProductEntry, id: String, _ path: String) throws -> CatalogProduct {
        guard let store = Store(rawValue: entry.store) else {
            let stores = Store.known.map(\.rawValue).joined(separator: ", ")
            throw invalid("\(path).store", "is one of \(stores)")
        }
        guard plans.contains(where: { $0.code == entry.plan }) else {
            throw invalid("\(path).plan", "is none of the plans above: \(entry.plan)")
        }
        let (name, names) = try checkedName(entry.name, "\(path).name")
        let isConsumable = entry.consumable ?? false
        if isConsumable, entry.period != nil || entry.trial != nil {
            throw invalid("\(path).consumable", "is only of what has neither a period nor a trial: it is used up")
        }
        if isConsumable, entry.recommended == true {
            throw invalid("\(path).consumable", "is never what a paywall highlights: it gives no plan")
        }
        return CatalogProduct(
            plan: entry.plan,
            store: store,
            id: id,
            name: name,
            names: names,
            period: try period(entry.period, "\(path).period"),
            trial: try period(entry.trial, "\(path).trial"),
            prices: try (entry.prices ?? [:]).sorted { $0.key < $1.key }.map { code, amount in
                let field = "\(path).prices.\(code)"
                let currency = try currency(code, field)
                return try self.amount(amount, in: currency, field)
            },
            isRecommended: entry.recommended ?? false,
            isConsumable: isConsumable,
            credits: try checkedCredits(entry.credits ?? [:], "\(path).credits")
        )
    }

    private func period(_ text: String?, _ path: String) throws -> BillingPeriod? {
        guard let text else { return nil }
        guard let period = BillingPeriod(iso8601: text) else {
            throw invalid(path, "is a period such as P1W, P1M, P3M or P1Y")
        }
        return period
    }

    private func amount(_ text: String, in currency: Currency, _ path: String) throws -> Money {
        guard let amount = try? Money(decimalText: text, currency: currency), amount.minorUnits >= 0 else {
            throw invalid(path, "is an amount with at most \(currency.digits) decimals, as text: \"18.00\"")
        }
        return amount
    }

    private func currency(_ code: String, _ path: String) throws -> Currency {
        guard let currency = Currency(code) else { throw invalid(path, "is a three-letter ISO 4217 code") }
        return currency
    }

    func text(_ text: String, _ path: String) throws -> String {
        guard !text.isEmpty, text.count <= 200, !text.unicodeScalars.contains(where: { $0.value < 32 }) else {
            throw invalid(path, "is a text of 1 to 200 characters without control characters")
        }
        return text
    }

    func number(_ number: Int, _ range: ClosedRange<Int>, _ path: String) throws -> Int {
        guard range.contains(number) else {
            throw invalid(path, "is from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func checkUnique(_ values: [String], _ list: String, _ field: String) throws {
        var seen: Set<String> = []
        for (index, value) in values.enumerated() where !seen.insert(value).inserted {
            throw invalid("\(list)[\(index)].\(field)", "is there twice: \(value)")
        }
    }

    func invalid(_ field: String, _ reason: String) -> OperationsError {
        OperationsError(.invalid, "\(field) \(reason).", field: field)
    }
}

/// Decoding errors in words, with the path of the field.
enum CatalogProblem {
    static func text(of error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context): "\(path(context.codingPath + [key])) is missing."
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            context.codingPath.isEmpty
                ? "is not the YAML of a catalogue: \(context.underlyingError.map { "\($0)" } ?? context.debugDescription)"
                : "\(path(context.codingPath)) is of the wrong type."
        default: "is not the YAML of a catalogue: \(error)"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}
