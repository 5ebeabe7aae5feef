import Billing
import Crypto
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("Signing in with Apple, as with any provider") struct AppleSignInTests {
    private let store: AppleIDStore
    private let anna = AppleIDStore.anna

    init() throws {
        store = try AppleIDStore()
    }

    private var provider: AppleSignIn {
        AppleSignIn(for: store.app, client: store.client, verifier: store.verifier)
    }

    private func failure(_ credential: SignInCredential) async -> SignInError? {
        do throws(SignInError) {
            _ = try await provider.exchange(credential, at: store.clock.now)
            return nil
        } catch {
            return error
        }
    }

    private func credential(
        of person: SimulatedAppleAccount? = nil,
        to clientID: String = "com.example",
        nonce: String? = nil
    ) throws -> SignInCredential {
        let given = try store.apple.signIn(person ?? anna, to: clientID, nonce: nonce)
        return SignInCredential(code: Secret(given.code), identityToken: Secret(given.identityToken), nonce: nonce)
    }

    @Test("a token says who it is, a code brings what ends the sign-in later, and both are of one person")
    func both() async throws {
        let identity = try await provider.exchange(try credential(nonce: "n-1"), at: store.clock.now)
        #expect(identity.provider == .apple)
        #expect(identity.subject == anna.subject)
        #expect(identity.otherSubjects == [])
        #expect(identity.clientID == "com.example")
        #expect(identity.profile.email == anna.email)
        #expect(identity.profile.isPrivateEmail == true)
        #expect(!"\(identity)".contains("privaterelay"))
        let token = try #require(identity.refreshToken)
        for _ in 0..<2 { try await provider.revoke(token, clientID: identity.clientID, at: store.clock.now) }
        #expect(store.apple.revoked.count == 1)
        var mixed = try credential()
        mixed.code = try credential(of: SimulatedAppleAccount(subject: "002")).code
        let other = await failure(mixed)
        #expect(other?.code == .invalidCode)
        #expect(other?.field == "code")
    }

    @Test("a token alone signs in; a code alone must say which of the app's ids it is for")
    func alone() async throws {
        let token = SignInCredential(identityToken: try credential().identityToken)
        #expect(try await provider.exchange(token, at: store.clock.now).refreshToken == nil)
        var code = SignInCredential(code: try credential(to: "com.example.web").code)
        #expect(await failure(code)?.field == "clientId")
        code.clientID = "com.other"
        #expect(await failure(code)?.field == "clientId")
        code.clientID = "com.example.web"
        let identity = try await provider.exchange(code, at: store.clock.now)
        #expect(identity.subject == anna.subject)
        #expect(identity.refreshToken != nil)
        #expect(await failure(code)?.code == .invalidCode)
    }

    @Test("what is missing, over, forged or not for this sign-in is refused by its field")
    func refused() async throws {
        #expect(await failure(SignInCredential())?.field == "clientId")
        #expect(await failure(SignInCredential(clientID: "com.example"))?.field == "code")
        for text in ["a.b.c", "1.5", "\0", String(repeating: "a", count: 100_000)] {
            let failure = await failure(SignInCredential(identityToken: Secret(text)))
            #expect(failure?.code == .invalidCode)
            #expect(failure?.field == "identityToken")
        }
        var wrongNonce = try credential(nonce: "n-1")
        wrongNonce.nonce = "n-2"
        #expect(await failure(wrongNonce)?.field == "nonce")
        wrongNonce.nonce = String(repeating: "n", count: 100_000)
        #expect(await failure(wrongNonce)?.field == "nonce")
        var longCode = try credential()
        longCode.code = Secret(String(repeating: "c", count: 100_000))
        #expect(await failure(longCode)?.field == "code")
        let old = try credential()
        store.clock.advance(by: 86_401)
        let over = await failure(old)
        #expect(over?.code == .invalidCode)
        #expect(over?.field == "identityToken")
    }

    @Test("an Apple that does not answer is for later, and a setting that Apple refuses is for staff")
    func answers() async throws {
        store.apple.refuse(with: "invalid_client")
        #expect(await failure(try credential())?.code == .misconfigured)
        let busy = StoreResponse(status: 429, headers: ["retry-after": "7"])
        let client = AppleSignInClient(transport: PreparedTransport { busy }, keys: store.keys, for: store.app)
        let provider = AppleSignIn(for: store.app, client: client, verifier: store.verifier)
        let credential = try credential()
        let failure = await #expect(throws: SignInError.self) {
            _ = try await provider.exchange(credential, at: store.clock.now)
        }
        #expect(failure?.code == .unavailable)
        #expect(failure?.retryAfter == .seconds(7))
        let revocation = await #expect(throws: SignInError.self) {
            try await provider.revoke(Secret("r"), clientID: "com.example", at: store.clock.now)
        }
        #expect(revocation?.code == .unavailable)
    }

    @Test("an account with a key for it signs people in, and one without does not")
    func gateway() throws {
        var account = StoreAccount.apple(bundleID: "com.example", appAppleID: nil, isSimulated: true, anchors: [])
        #expect(try AppleGateway().signIn(of: account) == nil)
        account.settings.merge([
            AppleSetting.clientIDs: "com.example", AppleSetting.teamID: "TEAM123456",
            AppleSetting.signInKeyID: "KEY1234567", AppleSetting.signInAddress: EndpointTransport.address,
        ]) { $1 }
        account.secrets[AppleSetting.signInPrivateKey] = Secret(store.key.pemRepresentation)
        #expect(try AppleGateway().signIn(of: account)?.provider == .apple)
        account.settings[AppleSetting.teamID] = nil
        let broken = account
        let failure = #expect(throws: SignInError.self) {
            _ = try StoreGateways.shipped.signIn(with: .apple, of: [.apple: broken])
        }
        #expect(failure?.code == .misconfigured)
        #expect(failure?.field == "id.teamId")
    }
}
