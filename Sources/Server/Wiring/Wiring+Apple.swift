import Billing
package import Foundation
import Operations
import Storage

/// The commands that look up purchases at Apple and set their account tokens.
extension Wiring {
    /// One line per transaction: its id, the original, the product, the price, when it was bought, the order and the customer here.
    ///
    /// - Throws: `OperationsError` with `.notFound` for an app that there is not, or an order that Apple does not know.
    package func lookUpOrder(_ order: String, app slug: String) async throws -> [String] {
        let found = try await withBackOffice { backOffice in
            try await backOffice.lookUpOrder(order, of: try await app(slug, backOffice))
        }
        return found.transactions.map { transaction in
            [
                transaction.id, transaction.originalID, transaction.productID ?? "-",
                transaction.price.map { "\($0.decimalText) \($0.currency.code)" } ?? "-",
                transaction.purchasedAt?.formatted(.iso8601) ?? "-",
                transaction.revokedAt.map { "revoked \($0.formatted(.iso8601))" } ?? "-",
                transaction.known?.orderNumber ?? "not here", transaction.known?.customer?.description ?? "-",
            ].joined(separator: "\t")
        }
    }

    /// - Throws: `OperationsError` with `.notFound` for an app that there is not, or a purchase that Apple does not know.
    package func setAccountToken(
        _ token: UUID?,
        of transaction: String,
        app slug: String,
        reason: String
    ) async throws -> String {
        guard let token else { throw OperationsError(.invalid, "The token is a UUID.", field: "token") }
        let reason = try Reason(category: Reason.Category.other.rawValue, text: reason)
        _ = try await withBackOffice { backOffice in
            try await backOffice.setAppAccountToken(
                token,
                of: transaction,
                in: nil,
                of: try await app(slug, backOffice),
                reason: reason,
                key: nil,
                caller: .systemUser
            )
        }
        return "Apple knows that \(transaction) is of the account \(token.uuidString.lowercased())."
    }

    func app(_ slug: String, _ backOffice: BackOffice) async throws -> App.ID {
        let apps = try await backOffice.database.readPrimary { try await $0.apps.all() }
        guard let app = apps.first(where: { $0.slug == slug }) else {
            throw OperationsError(.notFound, "There is no app \(slug).", field: "app")
        }
        return app.id
    }
}
