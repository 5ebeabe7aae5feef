import Billing
import Crypto
import Foundation
import StoreSimulator
import Synchronization

@testable import Gateways

/// The simulated Sign in with Apple that the suites share, with an app, and a clock that they move.
struct AppleIDStore {
    static let start = Date(timeIntervalSince1970: 1_750_000_000)
    static let clientID = "com.example"
    static let anna = SimulatedAppleAccount(
        subject: "001234.anna.0001",
        email: "x1y2@privaterelay.appleid.com",
        isPrivateEmail: true
    )

    let key = P256.Signing.PrivateKey()
    let clock: Clock
    let apple: SimulatedAppleID
    let app: AppleSignInConfiguration
    let keys: JWTKeySet
    let verifier: AppleIdentityVerifier

    /// Keys made once, for RSA keys are slow to make.
    private static let appleKeys = Result { try SimulatedAppleKeys() }

    /// - Parameter isApple: false for an impostor who signs with their own keys.
    init(at start: Date = Self.start, isApple: Bool = true) throws {
        let clock = Clock(at: start)
        self.clock = clock
        apple = try SimulatedAppleID(
            teamID: "TEAM123456",
            keyID: "KEY1234567",
            clientKey: key.publicKey,
            clientIDs: [Self.clientID, "com.example.web"],
            keys: isApple ? Self.appleKeys.get() : nil,
            now: { clock.now }
        )
        app = try AppleSignInConfiguration(
            clientIDs: [Self.clientID, "com.example.web"],
            teamID: "TEAM123456",
            keyID: "KEY1234567",
            key: .init(key.pemRepresentation),
            address: EndpointTransport.address,
            isSimulated: true
        )
        keys = .apple(at: EndpointTransport.address, transport: EndpointTransport(endpoints: apple.endpoints))
        verifier = AppleIdentityVerifier(keys: keys)
    }

    var client: AppleSignInClient {
        AppleSignInClient(transport: EndpointTransport(endpoints: apple.endpoints), keys: keys, for: app)
    }

    func verify(_ token: String, nonce: String? = nil) async throws(JWTError) -> AppleIdentity {
        try await verifier.verify(token, clientIDs: app.clientIDs, nonce: nonce, at: clock.now)
    }

    /// Returns the code of the step at which a token fails; nil when it is verified.
    func code(_ token: String, nonce: String? = nil) async -> JWTError.Code? {
        do {
            _ = try await verify(token, nonce: nonce)
            return nil
        } catch {
            return error.code
        }
    }

    final class Clock: Sendable {
        private let date: Mutex<Date>

        init(at start: Date) {
            date = Mutex(start)
        }

        var now: Date { date.withLock { $0 } }

        func advance(by seconds: TimeInterval) {
            date.withLock { $0 += seconds }
        }
    }
}
