/// A payer's id at a store with most of it left out: enough for people to tell two payers of one order apart, and too little to find anybody.
enum PayerMask {
    static func text(of id: String) -> String {
        let isLong = id.count >= 12
        return isLong ? "\(id.prefix(3))…\(id.suffix(3))" : "…\(id.suffix(2))"
    }
}
