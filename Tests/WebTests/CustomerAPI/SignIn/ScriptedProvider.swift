import Billing
import Foundation
import Gateways
import Synchronization

/// A sign-in provider that answers as the code says. `mei` and `mei+other name` sign somebody in, each once for a suffix after `#`;
/// `invalid`, `denied` and `away` are refused so. A test can make it unreachable when a sign-in is to be revoked.
final class ScriptedProvider: StoreGateway, SignInProvider {
    let provider: AuthProvider
    private let state = Mutex(State())

    private struct State {
        var used: Set<String> = []
        var revoked: [String] = []
        var isAway = false
    }

    init(_ provider: AuthProvider) {
        self.provider = provider
    }

    var store: Store { provider.store }
    var identifier: (name: String, field: String) { ("id", "id") }
    var revoked: [String] { state.withLock { $0.revoked } }

    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

    func check(_ account: StoreAccount) throws(GatewayError) {}

    func open(_ delivery: StoreDelivery) throws(GatewayError) -> any UnverifiedMessage {
        throw GatewayError(.malformed, "Nothing is told here.")
    }

    func signIn(of account: StoreAccount) throws(GatewayError) -> (any SignInProvider)? { self }

    func exchange(_ credential: SignInCredential, at now: Date) async throws(SignInError) -> ProviderIdentity {
        let code = credential.code?.revealed ?? credential.identityToken?.revealed ?? ""
        let name = code.split(separator: "#").first.map(String.init) ?? ""
        switch name {
        case "invalid", "": throw SignInError(.invalidCode, "The code was never given out.", field: "code")
        case "denied": throw SignInError(.denied, "They said no.")
        case "away": throw SignInError(.unavailable, "The provider does not answer.", retryAfter: .seconds(7))
        default: break
        }
        if credential.code != nil, !state.withLock({ $0.used.insert(code).inserted }) {
            throw SignInError(.usedCode, "The code was used before.", field: "code")
        }
        let names = name.split(separator: "+").map(String.init)
        return ProviderIdentity(
            provider: provider,
            subject: names.first ?? name,
            otherSubjects: Array(names.dropFirst()),
            profile: ProviderProfile(
                email: "\(names.first ?? name)@example.com",
                nickname: provider == .apple ? nil : "Name of \(names.first ?? name)",
                avatarURL: provider == .apple ? nil : "https://example.com/a.png"
            ),
            refreshToken: provider == .apple ? Secret("refresh of \(name)") : nil,
            clientID: "com.example"
        )
    }

    func revoke(_ refreshToken: Secret, clientID: String?, at now: Date) async throws(SignInError) {
        let isAway = state.withLock { state in
            if !state.isAway { state.revoked.append("\(refreshToken.revealed) \(clientID ?? "")") }
            return state.isAway
        }
        if isAway { throw SignInError(.unavailable, "The provider does not answer.") }
    }
}
