import Billing
import Gateways
import Storage

extension SignInRefusal {
    /// - Parameter field: the field of the request at fault, if any.
    func error(
        field: String? = nil,
        retryAfter: Int? = nil,
        because cause: String? = nil
    ) -> OperationsError {
        let code: OperationsError.Code =
            switch self {
            case .failed(_, .invalidCode), .failed(_, .usedCode), .failed(_, .denied): .notAuthentic
            case .failed(_, .notConfigured), .taken, .occupied: .conflict
            case .failed(_, .misconfigured): .misconfigured
            case .unreachable: .overloaded
            }
        return OperationsError(
            code,
            cause ?? message,
            field: field,
            reason: reason,
            retryAfter: retryAfter,
            underlying: self
        )
    }

    private var reason: ProblemCode {
        switch self {
        case .failed: .oauthFailed
        case .unreachable: .networkError
        case .taken: .identityTaken
        case .occupied: .providerAlreadyLinked
        }
    }

    /// In English, for programs.
    private var message: String {
        switch self {
        case .failed(_, .invalidCode): "The provider does not take the code or the token."
        case .failed(_, .usedCode): "The code, the token or the nonce was used before."
        case .failed(_, .denied): "The provider does not let them sign in."
        case .failed(let provider, .notConfigured): "The app signs nobody in at \(provider.rawValue)."
        case .failed(let provider, .misconfigured): "The app's key at \(provider.rawValue) does not work."
        case .unreachable: "The provider does not answer."
        case .taken(let provider): "This account at \(provider.rawValue) belongs to another customer."
        case .occupied(let provider):
            "The customer who is signed in has another account at \(provider.rawValue). Sign out first."
        }
    }
}

extension OperationsError {
    /// The error for a provider's refusal, or for the obstacle to asking it.
    init(_ error: SignInError, from provider: AuthProvider) {
        let refusal: SignInRefusal =
            switch error.code {
            case .invalidCode: .failed(provider, .invalidCode)
            case .usedCode: .failed(provider, .usedCode)
            case .denied: .failed(provider, .denied)
            case .unavailable: .unreachable(provider)
            case .notConfigured: .failed(provider, .notConfigured)
            case .misconfigured: .failed(provider, .misconfigured)
            }
        let field: String? =
            switch error.code {
            case .notConfigured: "provider"
            // The field of a setting is nothing that a caller sent.
            case .misconfigured, .unavailable: nil
            case .invalidCode, .usedCode, .denied: error.field
            }
        let retryAfter = error.retryAfter.map { Int(clamping: max(1, $0.components.seconds)) }
        self = refusal.error(field: field, retryAfter: retryAfter, because: error.message)
    }
}

extension SignInRequest {
    /// The field at fault if one of them was used before.
    var codeField: String { identityToken == nil ? "code" : "identityToken" }
}

extension ProvidedIdentity {
    /// - Parameter name: the name from the device; one from the provider itself takes precedence.
    init(_ identity: ProviderIdentity, name: Personal<String>?) {
        self.init(
            provider: identity.provider,
            subjects: [identity.subject] + identity.otherSubjects,
            clientID: identity.clientID,
            email: identity.profile.email.map { Personal($0) },
            name: identity.profile.nickname.map { Personal($0) } ?? name,
            avatarURL: identity.profile.avatarURL.map { Personal($0) }
        )
    }
}

extension CustomerSession.Method {
    init(_ provider: AuthProvider) {
        self =
            switch provider {
            case .apple: .apple
            case .wechat: .wechat
            case .alipay: .alipay
            }
    }
}
