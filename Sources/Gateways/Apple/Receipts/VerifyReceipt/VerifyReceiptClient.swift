package import Billing
import Foundation

/// Asks Apple what a receipt is worth, for apps that do not send signed transactions yet.
///
/// Production is asked first, for Apple has its reviewers buy in the sandbox with the app as it will be sold; which environment
/// took the receipt is the environment of its purchases.
package struct VerifyReceiptClient: Sendable {
    private let transport: any StoreTransport
    private let addresses: Addresses
    private let attempts: Int
    private let pause: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - attempts: the largest number of requests to the same environment, with 1, 2, 4 s between them.
    ///   - pause: waits that long.
    package init(
        transport: any StoreTransport,
        addresses: Addresses = .apple,
        attempts: Int = 3,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.transport = transport
        self.addresses = addresses
        self.attempts = max(1, attempts)
        self.pause = pause
    }

    /// - Parameters:
    ///   - receipt: base64, as the app sends it.
    ///   - sharedSecret: needed for subscriptions.
    ///   - excludesOldTransactions: only the latest transaction of each subscription.
    package func verify(
        _ receipt: String,
        sharedSecret: Secret?,
        excludesOldTransactions: Bool = false,
        for app: AppleConfiguration
    ) async throws(StoreFailure) -> VerifiedReceipt {
        do {
            try requireAskable(receipt, for: app)
        } catch {
            // Nobody was asked: it is the receipt that is none.
            throw .refused(StoreRefusal(error))
        }
        let body = Self.body(receipt, sharedSecret, excludesOldTransactions)
        var environment = StoreEnvironment.production
        var hasSwitched = false
        var attempt = 1
        while true {
            let (step, answer) = try await ask(body, of: app, in: environment, hasSwitched: hasSwitched)
            switch step {
            case .accept:
                guard let answer else { throw VerifyReceiptStep.Refusal.unavailable.failure(0) }
                guard environment == .production || app.acceptsSandbox else {
                    let reason = GatewayError(
                        .wrongEnvironment,
                        "The receipt is of the sandbox.",
                        field: "environment"
                    )
                    throw .refused(StoreRefusal(code: answer.status, reason))
                }
                return try Self.receipt(in: answer, from: environment, for: app)
            case .ask(let other):
                environment = other
                hasSwitched = true
                attempt = 1
            case .refuse(let refusal): throw refusal.failure(answer?.status ?? 0)
            case .retry(let lastly):
                guard attempt < attempts else { throw lastly.failure(answer?.status ?? 0) }
                try await wait(before: attempt)
                attempt += 1
            }
        }
    }

    /// Refuses what Apple need not be asked about: Xcode's receipts are known to nobody, and another app's are answered as if the
    /// secret were wrong.
    ///
    /// - Throws: `.malformed`, `.wrongEnvironment`, `.wrongApp`.
    func requireAskable(_ receipt: String, for app: AppleConfiguration) throws(GatewayError) {
        let envelope = try AppleReceiptEnvelope(receipt)
        if envelope.isMadeByXcode { throw AppleReceipt.madeByXcode }
        if let claimed = envelope.unverifiedBundleID, claimed != app.bundleID {
            throw GatewayError(.wrongApp, "The receipt is of another app.", field: "bundleId")
        }
    }

    /// An unreadable answer leaves the receipt unanswered; an answer for another app is Apple's refusal.
    private static func receipt(
        in answer: VerifyReceiptAnswer,
        from environment: StoreEnvironment,
        for app: AppleConfiguration
    ) throws(StoreFailure) -> VerifiedReceipt {
        do {
            return try VerifiedReceipt(answer, from: environment, for: app)
        } catch {
            let refusal = error.code == .wrongApp ? StoreRefusal(code: answer.status, error) : nil
            throw StoreFailure(refusal: refusal, else: error)
        }
    }

    private func ask(
        _ body: Data,
        of app: AppleConfiguration,
        in environment: StoreEnvironment,
        hasSwitched: Bool
    ) async throws(StoreFailure) -> (VerifyReceiptStep, VerifyReceiptAnswer?) {
        let response: StoreResponse
        do throws(GatewayError) {
            response = try await transport.send(
                StoreRequest(
                    "POST",
                    addresses[environment] + "/verifyReceipt",
                    headers: ["Content-Type": "application/json", "Accept": "application/json"],
                    body: body,
                    asker: app.bundleID
                )
            )
        } catch {
            guard error.code != .misconfigured else { throw .misconfigured(error) }
            return (.retry(lastly: .unavailable), nil)
        }
        // Whatever Apple thinks of a receipt it says with 200; anything else is said by something before it.
        guard response.status == 200, let answer = try? VerifyReceiptAnswer(response.body) else {
            return (.retry(lastly: .unavailable), nil)
        }
        let step = VerifyReceiptStep.after(
            status: answer.status,
            isRetryable: answer.isRetryable,
            askedIn: environment,
            hasSwitched: hasSwitched
        )
        return (step, answer)
    }

    private func wait(before attempt: Int) async throws(StoreFailure) {
        do {
            try await pause(.seconds(1 << min(attempt - 1, 6)))
        } catch {
            throw StoreFailure(
                refusal: nil,
                else: GatewayError(.unreachable, "Apple was not asked to the end.", underlying: error)
            )
        }
    }

    private static func body(_ receipt: String, _ sharedSecret: Secret?, _ excludesOldTransactions: Bool) -> Data {
        var body: JSON = ["receipt-data": .string(receipt)]
        body["password"] = (sharedSecret?.revealed).map { .string($0) }
        if excludesOldTransactions { body["exclude-old-transactions"] = true }
        return Data(body.bytes)
    }

    /// The addresses of each environment: scheme and host, and any path before `/verifyReceipt`.
    package struct Addresses: Hashable, Sendable {
        private let production: String
        private let sandbox: String

        /// - Parameter isSimulated: true for an app of a test store; only then may an address be plain http.
        /// - Throws: `.misconfigured`.
        package init(production: String, sandbox: String, isSimulated: Bool) throws(GatewayError) {
            self.production = try Self.base(production, isSimulated)
            self.sandbox = try Self.base(sandbox, isSimulated)
        }

        private init(checked production: String, _ sandbox: String) {
            self.production = production
            self.sandbox = sandbox
        }

        package static let apple = Addresses(
            checked: "https://buy.itunes.apple.com",
            "https://sandbox.itunes.apple.com"
        )

        private static func base(_ text: String, _ isSimulated: Bool) throws(GatewayError) -> String {
            try StoreAddress.base(
                text,
                isSimulated: isSimulated,
                of: "verifyReceipt",
                field: "verifyReceipt"
            )
        }

        subscript(environment: StoreEnvironment) -> String {
            switch environment {
            case .production: production
            case .sandbox: sandbox
            }
        }
    }
}
