/// The names of a purchase's items in our books: the same in the purchase itself and in each of its orders, whatever their sequence there.
///
/// The first line of the order that the purchase began with is the main item. That order never changes, while items come and go.
struct GoogleItemNames: Hashable, Sendable {
    /// The products of the order that the purchase began with; empty where Google does not know it.
    private let first: [String]

    /// - Parameter first: the order that the purchase began with (`GoogleOrderID.base`).
    init(_ first: GoogleOrder?) {
        self.first = first?.lines.map(\.productID) ?? []
    }

    /// - Parameter products: all that stand beside it.
    func name(of product: String, among products: [String], in order: GoogleOrderID) -> GoogleItemName {
        GoogleItemName(order, product: product == main(of: products) ? nil : product)
    }

    /// nil where the main item is gone.
    private func main(of products: [String]) -> String? {
        guard let main = first.first, !products.contains(main) else { return first.first ?? products.first }
        // An item that took its place at a renewal was not bought with it.
        return products.first { !first.contains($0) }
    }
}
