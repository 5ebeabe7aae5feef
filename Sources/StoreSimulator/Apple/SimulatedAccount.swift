/// The Apple account that installed the app, as Apple calls it to the app (`appTransactionId`): one for each first purchase.
enum SimulatedAccount {
    static func id(of originalTransactionID: String) -> String { "7" + originalTransactionID }
}
