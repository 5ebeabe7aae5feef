import Billing
import Operations
package import Words

/// The refusals to sign a customer in: the lightgallery document's `AuthError`, with its wordings.
extension SignInRefusal {
    /// Returns the text to show to the customer.
    package func text(in strings: Strings) -> String {
        switch self {
        case .failed(let provider, let reason):
            strings.problemsOauthFailedAt(
                provider: AuthProviderText.name(of: provider, strings).description,
                reason: Self.text(of: reason, strings).description
            )
        case .unreachable: strings.problemsNetworkError.description
        case .taken(let provider):
            strings.problemsIdentityTakenAt(provider: AuthProviderText.name(of: provider, strings).description)
        case .occupied(let provider):
            strings.problemsProviderAlreadyLinkedAt(provider: AuthProviderText.name(of: provider, strings).description)
        }
    }

    private static func text(of reason: Reason, _ strings: Strings) -> StaticString {
        switch reason {
        case .invalidCode: strings.customerApiReasonInvalidCode
        case .usedCode: strings.customerApiReasonUsedCode
        case .denied: strings.customerApiReasonDenied
        case .notConfigured: strings.customerApiReasonNotConfigured
        case .misconfigured: strings.customerApiReasonMisconfigured
        }
    }
}
