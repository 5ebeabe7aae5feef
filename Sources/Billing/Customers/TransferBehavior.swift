/// What an app gives to a device that nobody has signed in on and that shows a purchase of an account (RevenueCat's word). Raw
/// values are those of catalogues and the database. None of them opens the account.
package enum TransferBehavior: String, Hashable, Sendable, CaseIterable {
    /// Nothing: the owner is to sign in.
    case refuse
    /// What the purchase gives, for as long as the account has it.
    case share
    /// The purchase itself, which the account then no longer has.
    case transfer

    var claim: PurchaseClaim {
        switch self {
        case .refuse: .refused
        case .share: .shared
        case .transfer: .transferred
        }
    }
}
