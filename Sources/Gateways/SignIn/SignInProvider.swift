package import Billing
package import Foundation

/// One app's sign-in at a provider: turns what the app's device was given into who signed in.
package protocol SignInProvider: Sendable {
    var provider: AuthProvider { get }

    /// Asks the provider who signed in. Codes are good once: a second exchange of the same is refused.
    ///
    /// - Throws: `SignInError`, whose codes say what to tell the customer and whether to try again.
    func exchange(_ credential: SignInCredential, at now: Date) async throws(SignInError) -> ProviderIdentity

    /// Ends the sign-in at the provider, as Apple demands when somebody deletes their account. One that has ended is no error;
    /// a provider without revocation does nothing.
    ///
    /// - Parameters:
    ///   - refreshToken: `ProviderIdentity.refreshToken`.
    ///   - clientID: `ProviderIdentity.clientID`, kept beside the token; nil where the app has one client id alone.
    /// - Throws: `.unavailable` when it should be tried again; `.misconfigured` for settings that the provider refuses.
    func revoke(_ refreshToken: Secret, clientID: String?, at now: Date) async throws(SignInError)
}

extension SignInProvider {
    package func revoke(_ refreshToken: Secret, clientID: String?, at now: Date) async throws(SignInError) {}
}
