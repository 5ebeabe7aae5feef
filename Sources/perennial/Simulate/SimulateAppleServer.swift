import ArgumentParser
import Foundation
import Server
import StoreSimulator

extension Simulate {
    /// The App Store's other side: its answers to requests.
    struct AppleServer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "apple-server",
            abstract: "Play the App Store Server API, verifyReceipt, and signing in with Apple, WeChat and Alipay.",
            discussion: """
                Answers on loopback until it is stopped: production below /, the sandbox below /sandbox. Who asks needs the \
                key that it keeps in --authority beside the test authority. docs/stores/apple-simulator.md says what \
                it can be told to do wrong.
                """
        )

        @Option(help: "The port to listen on.")
        var port = 9_090

        @Option(help: "Where notifications go to, such as http://127.0.0.1:8080; none are sent when absent.")
        var webhook: String?

        @OptionGroup
        var lives: SimulatedLives

        @Option(help: "The shared secret that verifyReceipt asks for; any will do when absent.")
        var sharedSecret: String?

        @Option(help: "The directory of the test authority and of the API key.")
        var authority: String?

        func validate() throws {
            try Whole.number(port, isIn: 1...65_535, of: "--port")
            if let webhook, URLComponents(string: webhook)?.host == nil {
                throw ValidationError("--webhook is an address such as http://127.0.0.1:8080, not \(webhook).")
            }
        }

        func run() async throws {
            let directory = try Simulate.directory(authority)
            let authority = try TestAuthority.kept(in: directory)
            let key = try SimulatedAPIKey.kept(in: directory)
            let clock = SimulatedClock()
            let told = try lives.notifications()
            let server = SimulatedAppleServer(
                authority: authority,
                key: key,
                webhook: webhook.map { WebhookAddress.webhook(of: $0) },
                clock: clock,
                endpoints: try endpoints(about: told.map(\.notification), in: directory, key, clock)
            )
            for (notification, isLost) in told {
                server.record([notification], as: isLost ? .lost : .arrived)
            }
            do {
                try await server.start(port: port)
            } catch {
                throw SimulatorError(.unusablePort, "Port \(port) cannot be listened on.", underlying: error)
            }
            Console.say(
                """
                App Store Server API: \(server.url()) (production), \(server.sandboxURL) (sandbox)
                issuer \(server.key.issuerID), key \(server.key.keyID) in \(directory)/\(server.key.fileName)
                root \(directory)/root.der, of receipts \(directory)/receipt-root.der
                Sign in with Apple: team \(SimulatedAppleID.simulatedTeam), the same key
                Sign in with WeChat: AppID \(SimulatedSignIns.wechatAppID), AppSecret in \(directory)/\(SimulatedSignIns.appSecretFile)
                Sign in with Alipay: APPID \(SimulatedSignIns.alipayAppID), keys \(directory)/\(SimulatedSignIns.appKeyFile) and \
                \(directory)/\(SimulatedSignIns.alipayPublicKeyFile)
                """
            )
            await server.deliverForever()
        }

        /// Returns the endpoints beside the Server API.
        private func endpoints(
            about told: [SimulatedNotification],
            in directory: String,
            _ key: SimulatedAPIKey,
            _ clock: SimulatedClock
        ) throws -> [SimulatedEndpoint] {
            let receipts = try SimulatedReceiptDesk(
                authority: try ReceiptAuthority.kept(in: directory),
                told: told,
                sharedSecret: sharedSecret,
                clock: clock
            )
            let appleID = try SimulatedAppleID(key: key, clock: clock)
            let others = try SimulatedSignIns(keptIn: directory, clock: clock)
            return receipts.endpoints + appleID.endpoints + appleID.desk + others.endpoints
        }
    }
}

/// The options that choose the simulated subscribers.
struct SimulatedLives: ParsableArguments {
    @Option(help: "How many customers.")
    var customers = 100

    @Option(help: "How many months of their history.")
    var months = 24

    @Option(help: "The same seed gives the same subscribers.")
    var seed: UInt64 = 1

    @Option(help: "How many percent of the notifications do not get through, the same for the same seed.")
    var lost = 0

    @Option(help: "The day that the history ends before, as YYYY-MM-DD in UTC; today when absent.")
    var until: String?

    func validate() throws {
        try Whole.number(customers, isIn: 1...1_000_000, of: "--customers")
        try Whole.number(months, isIn: 1...600, of: "--months")
        try Whole.number(lost, isIn: 0...100, of: "--lost")
        _ = try end()
    }

    /// Everything that the store has to tell, and what of it is lost.
    func notifications() throws -> [(notification: SimulatedNotification, isLost: Bool)] {
        let subscribers = SimulatedSubscribers(
            seed: seed,
            customers: customers,
            months: months,
            endingAt: try end(),
            catalog: .readmigo
        )
        var random = SeededRandom(seed: seed)
        return subscribers.notifications().map { ($0, random.next() % 100 < UInt64(lost)) }
    }

    /// 2000-01-01 to 2999-12-31
    private static let days =
        Date(timeIntervalSince1970: 946_684_800)...Date(timeIntervalSince1970: 32_503_593_600)

    private func end() throws -> Date {
        guard let until else {
            return Date(timeIntervalSince1970: (Date().timeIntervalSince1970 / 86_400).rounded(.down) * 86_400)
        }
        guard let day = try? Date("\(until)T00:00:00Z", strategy: .iso8601), Self.days.contains(day),
            day.formatted(.iso8601).hasPrefix(until)
        else {
            throw ValidationError("--until is a day from 2000 to 2999, such as 2026-11-21.")
        }
        return day
    }
}
