import Foundation
package import HTTP
import HTTPTypes
package import Hummingbird
import Operations
import Storage

/// Shows an order at a store to whoever is to pay it: the page of a web shop that has none of its own.
package struct PayController: Sendable {
    let backOffice: BackOffice
    let assets: AssetPaths

    /// `GET /pay/{order}`; with `wait` and `state` the answer comes as soon as the order stands otherwise. Stores add parameters of their
    /// own to addresses that they lead back to.
    @Sendable package func show(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let query = try request.query()
        let (seconds, state) = (query["wait"].flatMap { Int($0) } ?? 0, query["state"])
        guard let number = try? URLEncoded.decode(try context.parameters.require("order").utf8) else {
            return missing(request)
        }
        let found = try await LongPoll.value(
            within: state == nil ? 0 : seconds,
            of: context,
            isAnswer: { $0?.checkout.state.rawValue != state },
            look: { try await backOffice.checkout(toPay: number) }
        )
        guard let opened = found, let app = try await backOffice.apps.entry(for: opened.checkout.app) else {
            return missing(request)
        }
        let page = PayPage(
            try await backOffice.payable(opened),
            of: app.record,
            at: backOffice.database.now,
            strings: request.strings,
            assets: assets
        )
        var response = Response.page(page)
        response.headers[.contentSecurityPolicy] = SecurityHeaders.policy(formsTo: page.form?.target, asks: true)
        return response
    }

    private func missing(_ request: Request) -> Response {
        .page(PayPage(strings: request.strings, assets: assets), status: .notFound)
    }
}
