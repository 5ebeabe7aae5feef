package import Billing
package import Foundation
import Gateways
package import Storage

/// The transactions under an order id of a store, and our records of them.
package struct StoreOrder: Sendable, Hashable {
    package var id: String
    package var transactions: [Transaction]

    /// One of its transactions, as the store reports it.
    package struct Transaction: Sendable, Hashable {
        package var id: String
        package var originalID: String
        package var productID: String?
        package var purchasedAt: Date?
        package var expiresAt: Date?
        /// The time at which it was refunded, or no longer shared with the family.
        package var revokedAt: Date?
        package var price: Money?
        /// Our record of it; nil if it is not known here.
        package var known: KnownTransaction?
    }
}

extension BackOffice {
    /// Asks Apple what was bought under an order id, which customers have from the receipt that Apple sent by e-mail.
    ///
    /// Production alone: the sandbox has no orders.
    ///
    /// - Parameter text: letters and digits, such as MK5TTTVWJH.
    /// - Throws: `OperationsError` with `.invalid` and the field `order` for what is no order id; `.notFound` for an order that
    ///   Apple does not know for this app; `.conflict` where Apple cannot be asked, or refuses, with its reason;
    ///   `.overloaded` when it does not answer.
    package func lookUpOrder(_ text: String, of app: App.ID) async throws -> StoreOrder {
        let id = try Self.orderID(text)
        let support = try await appleSupport(of: app)
        let found: [AppleTransaction]
        do {
            guard let transactions = try await support.transactions(ofOrder: id, at: database.now) else {
                throw OperationsError(
                    .notFound,
                    "Apple knows no order \(id) of this app. Orders of the sandbox cannot be looked up.",
                    field: "order"
                )
            }
            found = transactions
        } catch let failure as StoreFailure {
            throw OperationsError(asking: failure)
        }
        let known = try await database.read { reader in
            try await reader.screens.known(
                transactions: found.map { $0.transactionID ?? "" },
                originals: found.map { $0.originalTransactionID ?? "" },
                of: app,
                at: .apple,
                in: .production
            )
        }
        return StoreOrder(
            id: id,
            transactions: found.map { StoreOrder.Transaction($0, known: known[$0.transactionID ?? ""]) }
        )
    }

    /// - Throws: `OperationsError` with `.notFound` where the app is not at Apple, `.conflict` where Apple cannot be asked.
    func appleSupport(of app: App.ID) async throws -> AppleSupport {
        guard let account = try await apps.entry(for: app)?.accounts[.apple],
            let gateway = gateways[.apple] as? AppleGateway
        else { throw OperationsError(.notFound, "The app has no account at Apple.") }
        do {
            if let support = try gateway.support(of: account) { return support }
        } catch {
            throw OperationsError(.conflict, error.message, field: error.field, underlying: error)
        }
        throw OperationsError(
            .conflict,
            "Apple cannot be asked: the app has no key for that (docs/stores/apple.md, Keys)."
        )
    }

    private static func orderID(_ text: String) throws(OperationsError) -> String {
        let id = text.trimmingCharacters(in: .whitespacesAndNewlines).uppercased()
        guard !id.isEmpty else { throw OperationsError(problems: [FieldProblem("order", .missing)]) }
        let isPlain = id.utf8.allSatisfy { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard isPlain, id.utf8.count <= 64 else {
            throw OperationsError(
                .invalid,
                "An order id of Apple is letters and digits, such as MK5TTTVWJH.",
                field: "order"
            )
        }
        return id
    }
}

extension StoreOrder.Transaction {
    init(_ transaction: AppleTransaction, known: KnownTransaction?) {
        id = transaction.transactionID ?? ""
        originalID = transaction.originalTransactionID ?? ""
        productID = transaction.productID
        purchasedAt = transaction.purchaseDate
        expiresAt = transaction.expiresDate
        revokedAt = transaction.revocationDate
        price = transaction.chargedPrice
        let isKnown = known?.orderNumber != nil || known?.customer != nil
        self.known = isKnown ? known : nil
    }
}
