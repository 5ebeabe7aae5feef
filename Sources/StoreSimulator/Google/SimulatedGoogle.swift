package import Billing
package import CryptoExtras
import Foundation
package import Gateways
import Synchronization

/// Google Play over HTTP: the Developer API over a console that is driven here, the token endpoint, the keys, and Pub/Sub's pushes with
/// their signatures.
package final class SimulatedGoogle: Sendable {
    package let packageName: String
    package let clock: SimulatedClock
    package let signer: GoogleSigner
    package let audience: String
    package let pushAccount = "pubsub-push@sim.iam.gserviceaccount.com"
    package let subscription = "projects/sim/subscriptions/rtdn"
    package let serviceAccount = "perennial@sim.iam.gserviceaccount.com"
    let serviceKey: _RSA.Signing.PrivateKey
    let state = Mutex(State())
    let faults = SimulatedFaults()
    private let listener: Mutex<SimulatedListener?>

    /// - Parameters:
    ///   - serviceKey: of the app's service account.
    ///   - googleKey: Google's own.
    package init(
        packageName: String,
        serviceKey: _RSA.Signing.PrivateKey,
        googleKey: _RSA.Signing.PrivateKey,
        audience: String = "https://example.test/webhooks/google",
        clock: SimulatedClock = SimulatedClock()
    ) {
        (self.packageName, self.serviceKey, self.audience, self.clock) = (packageName, serviceKey, audience, clock)
        signer = GoogleSigner(googleKey, keyID: "sim-kid")
        listener = Mutex(nil)
    }

    struct State {
        var purchases: [String: SimulatedGooglePurchase] = [:]
        var orders: [String: SimulatedGoogleOrder] = [:]
        /// With the number of pieces, where not all was taken back.
        var voided: [(order: String, token: String, at: Date, pieces: Int64?)] = []
        var pushes: [SimulatedPush] = []
        var reviews: [(order: String, body: JSON)] = []
        var accessTokens: [String: Date] = [:]
        var moods: [(path: String, mood: SimulatedGoogleMood)] = []
        var asked: [String] = []
        var count = 0
        /// The address for pushes; nil for none.
        var webhook: String?
        var pushMoods: [SimulatedPushMood] = []

        mutating func next() -> Int {
            count += 1
            return count
        }
    }

    // MARK: Where it is

    /// Listens on loopback.
    ///
    /// - Parameter port: 0 for any; after a stop, the one of before.
    /// - Throws: `.unusablePort`
    package func start(port: Int = 0) async throws(SimulatorError) {
        let listener = listener.withLock { known in
            let listener = known ?? SimulatedListener { [weak self] in await self?.reply(to: $0) ?? .hangUp }
            known = listener
            return listener
        }
        try await listener.startOrRefuse(port: port)
    }

    package func stop() async {
        await listener.withLock { $0 }?.stop()
    }

    package var url: String { "http://127.0.0.1:\(listener.withLock { $0 }?.port ?? 0)" }

    /// The file that Google Cloud gives out for the service account.
    package var serviceAccountFile: JSON {
        [
            "type": "service_account", "project_id": "sim", "private_key_id": "service-kid",
            "private_key": .string(serviceKey.pkcs8PEMRepresentation), "client_email": .string(serviceAccount),
            "client_id": "113774264463038321964", "token_uri": .string("\(url)/token"),
        ]
    }

    /// The app's account at it.
    package var account: StoreAccount {
        StoreAccount(
            store: .google,
            identifier: packageName,
            isSimulated: true,
            settings: [
                GoogleSetting.api: url, GoogleSetting.certificates: "\(url)/oauth2/v3/certs",
                GoogleSetting.pushAudience: audience, GoogleSetting.pushAccount: pushAccount,
                GoogleSetting.pushSubscription: subscription,
            ],
            secrets: [
                GoogleSetting.serviceAccount: Secret(String(decoding: serviceAccountFile.bytes, as: UTF8.self))
            ]
        )
    }

    // MARK: Moods

    /// Spoils the next answers at paths that contain that.
    package func be(_ mood: SimulatedGoogleMood, at path: String = "", times: Int = 1) {
        state.withLock { $0.moods += Array(repeating: (path, mood), count: max(0, times)) }
    }

    package func mend() { state.withLock { $0.moods = [] } }

    /// The paths that were asked for, in their order, with methods.
    package var asked: [String] { state.withLock { $0.asked } }

    /// No access token that was given out is taken any more.
    package func forgetAccessTokens() { state.withLock { $0.accessTokens = [:] } }

    // MARK: What is there

    package func purchase(_ token: String) -> SimulatedGooglePurchase? { state.withLock { $0.purchases[token] } }

    package func order(_ id: String) -> SimulatedGoogleOrder? { state.withLock { $0.orders[id] } }

    /// The answers to pending refunds that came.
    package var reviews: [(order: String, body: JSON)] { state.withLock { $0.reviews } }

    /// All pushes so far, delivered or not.
    package var pushes: [SimulatedPush] { state.withLock { $0.pushes } }

    // MARK: Pub/Sub

    /// As it is pushed: its body and the headers that Google sends beside it.
    ///
    /// - Parameter claims: what of the token is otherwise; a null leaves a claim out.
    package func delivery(of push: SimulatedPush, claims: [String: JSON] = [:]) throws -> StoreDelivery {
        let now = Int64(bounding: clock.tokenTime.timeIntervalSince1970.rounded())
        var token: JSON = [
            "iss": "https://accounts.google.com", "aud": .string(audience), "azp": "113774264463038321964",
            "sub": "113774264463038321964", "email": .string(pushAccount), "email_verified": true,
            "iat": .integer(now), "exp": .integer(now + 3_600),
        ]
        for (name, value) in claims { token[name] = value == .null ? nil : value }
        return StoreDelivery(
            push.body(subscription: subscription),
            headers: ["authorization": "Bearer \(try signer.sign(token))", "content-type": "application/json"]
        )
    }

    /// Pushes what was not taken yet, in order.
    ///
    /// - Returns: how many were taken.
    @discardableResult
    package func deliver(
        to webhook: String,
        over transport: any StoreTransport = HTTPStoreTransport()
    ) async throws -> Int {
        var taken = 0
        for (index, push) in pushes.enumerated() where !push.isDelivered {
            let delivery = try delivery(of: push)
            let request = StoreRequest("POST", webhook, headers: delivery.headers, body: Data(delivery.payload.utf8))
            let status = try? await transport.send(request).status
            let isTaken = [102, 200, 201, 202, 204].contains(status ?? 0)
            state.withLock { state in
                state.pushes[index].attempts += 1
                state.pushes[index].isDelivered = isTaken
            }
            taken += isTaken ? 1 : 0
        }
        return taken
    }

    /// Publishes a message that is none: it can never be worked on.
    package func publishPoison() {
        tell(["version": "1.0", "packageName": .string(packageName), "somethingNew": ["version": "1.0"]])
    }

    func tell(_ members: JSON) {
        let now = clock.now
        state.withLock { state in
            var notification = members
            notification["eventTimeMillis"] = .googleMilliseconds(now)
            let id = "1369693\(state.next() + 10_000)"
            state.pushes.append(SimulatedPush(id: id, notification: notification, publishedAt: now))
        }
    }

    func tell(_ part: String, _ content: JSON) {
        tell(
            .object([
                JSON.Member(name: "version", value: "1.0"),
                JSON.Member(name: "packageName", value: .string(packageName)),
                JSON.Member(name: part, value: content),
            ])
        )
    }
}
