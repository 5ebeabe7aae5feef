/// The number of an order at a store (`out_trade_no`): 26 letters and digits, 130 random bits, so that nobody guesses another's.
enum CheckoutNumber {
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return String((0..<length).compactMap { _ in letters.randomElement(using: &generator) })
    }

    private static let length = 26
    /// Crockford's: people read them out.
    private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
}
