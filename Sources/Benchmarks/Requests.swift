import ArgumentParser
import Foundation
import StoreSimulator

/// Writes ready-made webhook requests: purchases and their renewals, signed, in the order of signing.
struct Requests: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sign notifications and write them as HTTP requests, dealt out to several files."
    )

    @Option(help: "How many requests.")
    var count = 10_000

    @Option(help: "The most notifications that one subscription has.")
    var perSubscription = 12

    @Option(help: "How many files: NAME.0, NAME.1 …")
    var files = 2

    @Option(help: "The same seed gives the same subscribers.")
    var seed: UInt64 = 1

    @Option(help: "The directory of the test authority.")
    var authority: String

    @Argument(help: "Where to, without the number.")
    var name: String

    func run() throws {
        let signer = AppleSigner(authority: try TestAuthority.kept(in: authority))
        let notifications = chosen()
        guard notifications.count == count else { throw ValidationError("Too few subscribers for \(count) requests.") }
        for file in 0..<files {
            let path = "\(name).\(file)"
            guard FileManager.default.createFile(atPath: path, contents: nil),
                let handle = FileHandle(forWritingAtPath: path)
            else { throw ValidationError("\(path) cannot be written.") }
            // One subscription's stay in one file, so that they are sent in order.
            for notification in notifications where Self.hash(notification) % files == file {
                try handle.write(contentsOf: Self.request(of: try signer.sign(notification)))
            }
            try handle.close()
        }
    }

    /// The beginning of each life up to where something other than a plain renewal happens.
    private func chosen() -> [SimulatedNotification] {
        let subscribers = SimulatedSubscribers(
            seed: seed,
            customers: max(100, count),
            months: 24,
            endingAt: Date(timeIntervalSince1970: 1_793_491_200)
        )
        var chosen: [SimulatedNotification] = []
        for number in subscribers.customers.indices where chosen.count < count {
            let plain = subscribers.notifications(of: number).prefix { notification in
                ["SUBSCRIBED", "DID_RENEW"].contains(notification.type)
                    && [nil, "INITIAL_BUY"].contains(notification.subtype) && notification.transaction != nil
            }
            chosen += plain.prefix(min(perSubscription, count - chosen.count))
        }
        return chosen.sorted { $0.signedDate < $1.signedDate }
    }

    private static func hash(_ notification: SimulatedNotification) -> Int {
        notification.transaction?.originalID.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } ?? 0
    }

    private static func request(of signedPayload: String) -> Data {
        let body = #"{"signedPayload":""# + signedPayload + #""}"#
        let request = """
            POST /webhooks/apple HTTP/1.1\r
            Host: 127.0.0.1\r
            Content-Type: application/json\r
            Content-Length: \(body.utf8.count)\r
            \r
            \(body)
            """
        return Data("\(request.utf8.count)\n\(request)".utf8)
    }
}
