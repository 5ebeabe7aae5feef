import ArgumentParser
import Foundation
import Logging
import Server
import StoreSimulator

struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve with demo data: two years of an app's store life, sent through the real intake.",
        discussion: """
            Pages are served from the first moment on, and say how far the data is. PERENNIAL_DEMO_PASSWORD is the password of \
            the demo's accounts; without it one is made up.
            """
    )

    @Option(help: "The catalogue of the app to show.")
    var catalog = "Catalogs/readmigo.yaml"

    @Option(help: "How many customers.")
    var customers = 3_000

    @Option(help: "The same seed gives the same subscribers.")
    var seed: UInt64 = 20_241_121

    @Flag(help: "Play one app and the App Store alone, and nobody who asks for money back as the demo begins.")
    var onlyApple = false

    @Flag(inversion: .prefixedNo, help: "Play a second, smaller app of another country.")
    var secondApp = true

    @Option(help: "The file that keeps how long each step took; beside the data if it is not named.")
    var times: String?

    func validate() throws {
        try Whole.number(customers, isIn: 1...1_000_000, of: "--customers")
    }

    func run() async throws {
        var configuration = try Setting.configuration()
        configuration.allowsPlainHTTP = true
        // Two years are filled in while people look, on machines that do other things as well.
        configuration.patience = max(configuration.patience, 20)
        if ProcessInfo.processInfo.environment["PERENNIAL_LOG_LEVEL"] == nil { configuration.logLevel = .warning }
        Logs.start(level: configuration.logLevel)
        let directory = configuration.stateDirectory.appending(path: "simulator").absoluteURL.path
        let authority = try TestAuthority.kept(in: directory)
        let receipts = try ReceiptAuthority.kept(in: directory)
        let subscribers = SimulatedSubscribers(
            seed: seed,
            customers: customers,
            months: 24,
            endingAt: try DemoEnd.current(in: configuration.stateDirectory, now: Date()),
            catalog: .readmigo,
            turns: SimulatedTurns.usual
        )
        let second =
            onlyApple || !secondApp
            ? nil : SecondDemoApp(seed: seed, customers: customers, until: subscribers.end)
        let shops: DemoShops? =
            try onlyApple
            ? nil
            : DemoShops(
                keptIn: directory,
                seed: seed,
                customers: customers,
                months: 24,
                until: DemoEnd.recorded(in: configuration.stateDirectory) ?? subscribers.end
            )
        try await shops?.start()
        let kept = times.map { URL(filePath: $0) } ?? configuration.stateDirectory.appending(path: "times")
        let bar = ProgressLine(filling: "  filling,")
        let steps = DemoSteps(times: StepTimes(kept), bar: bar)
        let script = DemoScript(
            catalog: catalog,
            authorityRoots: [authority.root, receipts.root],
            password: try DemoPassword.current(in: configuration.stateDirectory),
            people: subscribers.people.map { .init(appAccountToken: $0, name: $1.name, email: $1.email) },
            stores: shops?.stores { [end = subscribers.end, state = configuration.stateDirectory] in
                DemoEnd.record(end, in: state)
            },
            others: second.map { [$0.app] } ?? [],
            play: { webhook, progress in
                let first = subscribers.notifications()
                let others =
                    (onlyApple ? [] : subscribers.openCases(among: first)) + (second?.notifications() ?? [])
                let notifications = others.isEmpty ? first : (first + others).sorted { $0.signedDate < $1.signedDate }
                let report = try await Delivery(url: webhook, concurrency: 16)
                    .send(notifications, signedBy: AppleSigner(authority: authority)) {
                        progress(Double($0.sent) / Double(max(1, notifications.count)))
                    }
                guard report.refused.isEmpty else {
                    throw ValidationError("The server refused some of the demo's notifications: \(report.refused)")
                }
            },
            begin: steps.begin,
            fill: bar.show,
            say: Console.say
        )
        let delivering = Task { await shops?.deliverForever() }
        defer { delivering.cancel() }
        try await Wiring(configuration, logger: Setting.logger).demo(script)
        await shops?.stop()
    }
}

/// The end of the demo's history: the hour of the first start. It is kept for a day, so that a start that goes on where another
/// was cut short tells of the same subscribers.
enum DemoEnd {
    static func current(in stateDirectory: URL, now: Date) throws -> Date {
        let file = stateDirectory.appending(path: "demo-end")
        if let kept = (try? String(contentsOf: file, encoding: .utf8)).flatMap(Double.init),
            (0..<86_400).contains(now.timeIntervalSince1970 - kept)
        {
            return Date(timeIntervalSince1970: kept)
        }
        let hour = (now.timeIntervalSince1970 / 3_600).rounded(.down) * 3_600
        try FileManager.default.createDirectory(at: stateDirectory, withIntermediateDirectories: true)
        try Data("\(hour)".utf8).write(to: file)
        return Date(timeIntervalSince1970: hour)
    }
}

extension DemoEnd {
    /// The end of the history that was recorded whole; nil before. The played Google Play knows no purchase when it starts, and lives through
    /// the same ones again.
    static func recorded(in stateDirectory: URL) -> Date? {
        (try? String(contentsOf: recordedFile(in: stateDirectory), encoding: .utf8)).flatMap(Double.init)
            .map { Date(timeIntervalSince1970: $0) }
    }

    /// A file that cannot be kept is missed at the next start alone.
    static func record(_ end: Date, in stateDirectory: URL) {
        try? Data("\(end.timeIntervalSince1970)".utf8).write(to: recordedFile(in: stateDirectory))
    }

    private static func recordedFile(in stateDirectory: URL) -> URL {
        stateDirectory.appending(path: "demo-recorded-end")
    }
}

/// The demo's password: the environment's, else one that is made up once and kept.
enum DemoPassword {
    static func current(in stateDirectory: URL) throws -> String {
        if let given = ProcessInfo.processInfo.environment["PERENNIAL_DEMO_PASSWORD"], !given.isEmpty { return given }
        let file = stateDirectory.appending(path: "demo-password")
        if let kept = try? String(contentsOf: file, encoding: .utf8), !kept.isEmpty { return kept }
        let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
        let password = (0..<4).map { _ in String((0..<4).compactMap { _ in letters.randomElement() }) }
            .joined(separator: "-")
        try FileManager.default.createDirectory(at: stateDirectory, withIntermediateDirectories: true)
        _ = FileManager.default.createFile(
            atPath: file.path,
            contents: Data(password.utf8),
            attributes: [.posixPermissions: 0o600]
        )
        return password
    }
}
