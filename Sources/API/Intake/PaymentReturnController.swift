import Billing
package import HTTP
import HTTPTypes
package import Hummingbird
import Operations
import Words

/// The page that a customer's browser comes back to from a store's page.
package struct PaymentReturnController: Sendable {
    let backOffice: BackOffice

    /// `GET /payment-returns/{store}/{app}`: says that the payment is being checked, and has that done. It grants nothing.
    @Sendable package func show(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        guard let store = context.parameters.get("store").flatMap(Store.init(rawValue:)),
            let slug = context.parameters.get("app")
        else { throw WebError(.notFound, "There is no such page.") }
        do {
            try await backOffice.followReturn(request.uri.query ?? "", from: store, forApp: slug)
        } catch let error as OperationsError where error.code == .notAuthentic || error.code == .wrongApp {
            // A customer has nothing to sign in to.
            throw WebError(.forbidden, "The store did not sign this address.", underlying: error)
        }
        var response = Response.text(request.strings.customerApiBeingChecked.description)
        response.isIn(request.strings)
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
