/// The number of a refund at a store: letters, digits and underscores, 64 at most, as all stores take them.
///
/// A request's number is counted per app, and a merchant may have several apps; so the order's number, which is the store's for ever,
/// stands before it.
enum PayoutNumber {
    static func number(of request: String, forOrder order: String) -> String {
        let own = request.filter(isTaken)
        return "\(order.filter(isTaken).prefix(max(0, longest - 1 - own.count)))_\(own)"  // safe: counts of characters
    }

    private static let longest = 64

    private static func isTaken(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber)
    }
}
