package import Billing
package import Foundation
import Gateways
import Operations
import Storage

/// The facts with which the simulated App Store sells a product of an app to one of its customers.
package struct Tryout: Sendable {
    package let bundleID: String
    package let appAppleID: Int64?
    /// The length of one charge; nil for what is owned for ever, and for what is used up.
    package let period: BillingPeriod?
    package let isConsumable: Bool
    /// The first list price; nil where the catalogue has none.
    package let price: Money?
    /// The token of the customer's account, as the app would give it to the store with each purchase.
    package let accountToken: UUID?
    /// A token for the customer API. It is a secret of the customer's, to be shown to who asked for it.
    package let accessToken: String

    /// The time at which a period began that ends a minute before `now`; that minute for what has no period.
    package func startOfPeriodThatHasEnded(by now: Date) -> Date {
        let end = now.addingTimeInterval(-60)
        return period?.end(of: -1, periodsFrom: end, in: .gmt) ?? end
    }
}

extension Wiring {
    /// Prepares a purchase in the simulator; a customer who is named for the first time is made.
    ///
    /// - Throws: `OperationsError` for an app or a product that there is not, an app that the simulator cannot sell for, and an id that
    ///   cannot be kept.
    package func tryout(_ productID: String, of slug: String, by externalID: String) async throws -> Tryout {
        try await withBackOffice { backOffice in
            let app = try await self.app(slug, backOffice)
            let catalog = try await backOffice.database.readPrimary { try await $0.apps.catalog(of: app) }
            let sold = catalog.products.filter { $0.store == .apple }
            guard let product = sold.first(where: { $0.id == productID }) else {
                let names = sold.map(\.id).joined(separator: ", ")
                throw OperationsError(
                    .notFound,
                    "The App Store does not sell \(productID) for \(slug); it sells \(names.isEmpty ? "nothing" : names).",
                    field: "product"
                )
            }
            guard let account = try await backOffice.apps.entry(for: app)?.accounts[.apple], account.isSimulated else {
                throw OperationsError(
                    .conflict,
                    """
                    \(slug) takes in what Apple signs alone: \
                    perennial catalog apply FILE --simulator $(perennial simulate apple keys)
                    """,
                    field: "app"
                )
            }
            let tokens = try await backOffice.mintToken(
                for: CustomerIdentity(externalID: externalID, isAnonymous: false),
                of: app,
                caller: .systemUser
            )
            return Tryout(
                bundleID: account.identifier,
                appAppleID: account.appAppleID,
                period: product.period,
                isConsumable: product.isConsumable,
                price: product.prices.first,
                accountToken: try await backOffice.database.readPrimary {
                    try await $0.screens.accountToken(of: tokens.customer)
                },
                accessToken: tokens.accessToken.revealed
            )
        }
    }
}
