/// The rights of a device without a sign-in that presents an account's purchase (RevenueCat's term). The raw values are those of catalogues
/// and the database. None of them opens the account.
package enum TransferBehavior: String, Hashable, Sendable, CaseIterable {
    /// None: the owner has to sign in.
    case refuse
    /// The access that the purchase gives, for as long as the account has it.
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
