import Foundation

/// A number of an order: `GPA.3345-1234-5678-12345`, and of a renewal the same with `..0`, `..1`, … behind it.
struct GoogleOrderID: Hashable, Sendable {
    let text: String
    /// The order that the purchase began with.
    let base: String
    /// The number of the renewal, from 0; nil of the first order.
    let renewal: Int?

    init(_ text: String) {
        self.text = text
        guard let dots = text.range(of: "..", options: .backwards), let renewal = Int(text[dots.upperBound...]),
            (0..<100_000).contains(renewal), dots.lowerBound > text.startIndex
        else {
            (base, self.renewal) = (text, nil)
            return
        }
        (base, self.renewal) = (String(text[..<dots.lowerBound]), renewal)
    }

    /// The numbers before it, the newest first, at most that many.
    func before(atMost count: Int) -> [String] {
        guard let renewal else { return [] }
        let renewals = (0..<renewal).reversed().prefix(count).map { "\(base)..\($0)" }
        return renewals.count < count ? renewals + [base] : renewals
    }
}

/// The name of one item of a purchase in our books: the order's number for the purchase's main item, and with the product behind it
/// for what was bought beside it (`GoogleItemNames`). Google's numbers have no colon.
struct GoogleItemName: Hashable, Sendable {
    var order: GoogleOrderID
    /// nil of the main item.
    var product: String?

    init(_ order: GoogleOrderID, product: String?) {
        (self.order, self.product) = (order, product)
    }

    /// Reads what our books have.
    init(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        order = GoogleOrderID(String(parts.first ?? ""))
        product = parts.count > 1 ? parts.last.map(String.init) : nil
    }

    /// The transaction's id.
    var transactionID: String { text(order.text) }
    /// The id of the subscription's first transaction.
    var originalID: String { text(order.base) }

    private func text(_ order: String) -> String { product.map { "\(order):\($0)" } ?? order }
}
