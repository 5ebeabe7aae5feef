import Billing
import Foundation
package import Gateways

/// Serves verifyReceipt for both environments over HTTP and, for trials by hand, a customer's receipt to send.
package struct SimulatedReceiptDesk: Sendable {
    /// The store that answers verifyReceipt.
    package let store: SimulatedVerifyReceipt
    private let signer: ReceiptSigner
    private let told: [UUID: [SimulatedNotification]]
    private let clock: SimulatedClock

    /// - Parameters:
    ///   - authority: signs the receipts; the receiving app is configured with its root.
    ///   - told: all notifications; the receipts say the same.
    ///   - sharedSecret: the value that `password` must have; nil where none is asked for.
    package init(
        authority: ReceiptAuthority,
        told: [SimulatedNotification],
        bundleID: String = SimulatedCatalog.readmigo.bundleID,
        appAppleID: Int64 = SimulatedCatalog.readmigo.appAppleID,
        sharedSecret: String? = nil,
        clock: SimulatedClock = SimulatedClock()
    ) throws(GatewayError) {
        let app = try AppleConfiguration(
            bundleID: bundleID,
            appAppleID: appAppleID,
            mode: .simulator(anchors: [authority.root])
        )
        store = SimulatedVerifyReceipt(for: app, sharedSecret: sharedSecret) { clock.now }
        store.know(told)
        signer = ReceiptSigner(authority: authority)
        self.told = Dictionary(grouping: told.filter { $0.customer != nil }) { $0.customer ?? UUID() }
        self.clock = clock
    }

    package var endpoints: [SimulatedEndpoint] {
        store.endpoints + [
            SimulatedEndpoint("POST", "/simulator/receipts") { request in receipt(Self.json(request.body)) },
            SimulatedEndpoint("POST", "/simulator/verifyReceipt") { request in prepare(Self.json(request.body)) },
        ]
    }

    /// Answers `{"appAccountToken": …}` with the receipt of that customer's device, as it is now.
    private func receipt(_ body: JSON) -> StoreResponse {
        guard let customer = body["appAccountToken"]?.string.flatMap(UUID.init(uuidString:)),
            let notifications = told[customer],
            let receipt = SimulatedReceipt(of: notifications, at: clock.now)
        else { return .json(["error": "appAccountToken is of no customer who has bought something."], status: 404) }
        guard let text = try? signer.sign(receipt) else { return StoreResponse(status: 500) }
        return .json(["receipt": .string(text)])
    }

    /// Takes `{"status": …, "retryable": …, "environment": production|sandbox, "times": …}` for verifyReceipt's next answers,
    /// whatever
    /// the receipt.
    private func prepare(_ body: JSON) -> StoreResponse {
        guard let status = body["status"]?.integer else {
            return .json(["error": "status is missing."], status: 400)
        }
        let environment: StoreEnvironment = body["environment"] == "sandbox" ? .sandbox : .production
        // No more than anybody would ask for: each answer is kept until it is given.
        let times = min(max(1, body["times"]?.integer ?? 1), 1_000)
        for _ in 0..<times { store.say(.status(status, retryable: body["retryable"]), in: environment) }
        return .json([:])
    }

    private static func json(_ body: Data) -> JSON {
        (try? JSON(parsing: Array(body))) ?? .object([])
    }
}
