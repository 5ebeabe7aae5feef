package import Billing

extension StoreGateways {
    /// An app's sign-in at a provider.
    ///
    /// - Parameter accounts: the app's, by store, with secrets opened (`AppDirectory.Entry.accounts`).
    /// - Throws: `.notConfigured` where the app has no account there, or no key; `.misconfigured` for a key that cannot work.
    package func signIn(
        with provider: AuthProvider,
        of accounts: [Store: StoreAccount]
    ) throws(SignInError) -> any SignInProvider {
        guard let account = accounts[provider.store], let gateway = self[provider.store] else {
            throw SignInError(.notConfigured, "The app has no account at \(provider.rawValue).")
        }
        let found: (any SignInProvider)?
        do {
            found = try gateway.signIn(of: account)
        } catch {
            throw SignInError(.misconfigured, error.message, field: error.field, underlying: error)
        }
        guard let found else {
            throw SignInError(.notConfigured, "The app has no key for signing people in at \(provider.rawValue).")
        }
        return found
    }
}
