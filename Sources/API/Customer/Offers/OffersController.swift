import APITypes
import Billing
package import HTTP
package import Hummingbird
import Operations
import Storage
import Words

/// Answers what an app offers to anybody who looks at it, signed in or not.
package struct OffersController: Sendable {
    let backOffice: BackOffice

    package static let products = APIOperation(
        "listSubscriptionProducts",
        .offers,
        "What can be bought",
        """
        Products without a list price are left out: their price is the store's to say. Without `paymentMethod`, what several stores sell \
        under one id is listed once, as the App Store has it.
        """,
        query: [methodParameter, currencyParameter],
        namesApp: true,
        answer: .list(of: SubscriptionProduct.self, "By rank of the plan, the shortest period first.")
    )

    /// `GET /api/v1/subscription/products`
    @Sendable package func products(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let parameters = ListParameters(try request.query())
        let store = try parameters.value(Self.methodParameter)
        let currency = try parameters.value(Self.currencyParameter)
        let (catalog, wording) = try await offers(to: request, in: currency)
        return .json(catalog.listed(at: store).compactMap { SubscriptionProduct($0, wording) })
    }

    package static let plans = APIOperation(
        "listIOSPlans",
        .offers,
        "The plans, and what they cost at the App Store",
        query: [currencyParameter],
        namesApp: true,
        answer: .ok(IOSPlans.self, "All plans by rank.")
    )

    /// `GET /ios/plans`
    @Sendable package func plans(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let currency = try ListParameters(try request.query()).value(Self.currencyParameter)
        let (catalog, wording) = try await offers(to: request, in: currency)
        let plans = catalog.plans.map { IOSPlans.Plan($0, catalog.products(of: $0, at: .apple), wording) }
        return .json(IOSPlans(plans: plans))
    }

    package static let paywall = APIOperation(
        "showPaywall",
        .offers,
        "What to offer, and in which words",
        """
        With a customer's token it says, too, what the customer has, and what of the app is locked for them; without one it is for the \
        app that the call names. Prices are list prices, formatted for the language that `Accept-Language` asks for.
        """,
        query: [methodParameter, currencyParameter],
        namesApp: true,
        mayTakeToken: true,
        answer: .ok(Paywall.self, "The app's words, its plans and products, and what is locked.")
    )

    /// `GET /paywall`
    @Sendable package func paywall(
        _ request: Request,
        _ context: WebRequestContext,
        _ call: CustomerRequest?
    ) async throws -> Response {
        let parameters = ListParameters(try request.query())
        let store = try parameters.value(Self.methodParameter)
        let currency = try parameters.value(Self.currencyParameter)
        let app: AppDirectory.Entry
        let catalog: AppCatalog
        var customer: (CustomerRequest, CustomerUsage)?
        if let call {
            let usage = try await backOffice.usage(for: call.session)
            (app, catalog) = (try await backOffice.apps.app(of: call), usage.catalog)
            customer = (call, usage)
        } else {
            app = try await backOffice.apps.app(of: request)
            catalog = try await backOffice.database.read { try await $0.apps.catalog(of: app.record.id) }
        }
        let wording = OfferWording(currency, of: app.record, in: request.strings)
        var response = Response.json(Paywall(catalog, of: app.record, at: store, for: customer, wording))
        response.isIn(request.strings)
        return response
    }

    private static let methodParameter = QueryParameter<Store>(
        "paymentMethod",
        oneOf: Vocabulary.paymentMethods,
        "Only what is paid there."
    ) { text in
        Store.allCases.first { $0.paymentMethod == text }
    }

    private static let currencyParameter = QueryParameter.currency(
        "currency",
        "Prices in this currency, where there are any; otherwise in the one that the app reports in, or in what there is."
    )

    /// Returns the catalogue of a call's app, and the currency and language of its prices.
    private func offers(to request: Request, in currency: Currency?) async throws -> (AppCatalog, OfferWording) {
        let app = try await backOffice.apps.app(of: request)
        let catalog = try await backOffice.database.read { try await $0.apps.catalog(of: app.record.id) }
        return (catalog, OfferWording(currency, of: app.record, in: request.strings))
    }
}
