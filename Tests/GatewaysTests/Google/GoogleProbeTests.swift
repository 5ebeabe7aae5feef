import Billing
import CryptoExtras
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("Whether Google Play can be asked, and its pushes believed, is said in a line each") struct GoogleProbeTests {
    /// The fault, and the words that say so.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Of the first line, which is about the API; none where all is well.
        let asked: String?
        /// Of the second, which is about pushes.
        let pushed: String?
        /// The seconds by which our clock is ahead.
        let drift: TimeInterval
        let change: @Sendable (GoogleStore, inout StoreAccount) async throws -> Void

        init(
            _ name: String,
            asked: String? = nil,
            pushed: String? = nil,
            drift: TimeInterval = 0,
            _ change: @escaping @Sendable (GoogleStore, inout StoreAccount) async throws -> Void = { _, _ in }
        ) {
            (testDescription, self.asked, self.pushed, self.drift, self.change) = (name, asked, pushed, drift, change)
        }

        private static func file(_ store: GoogleStore, _ change: (inout JSON) throws -> Void) rethrows -> Secret {
            var file = store.google.serviceAccountFile
            try change(&file)
            return Secret(String(decoding: file.bytes, as: UTF8.self))
        }

        static let all = [
            Row("nothing"),
            Row("no service account", asked: "has no service account") { _, account in account.secrets = [:] },
            Row("another account's key", asked: "the key was deleted, or is another account's") { store, account in
                account.secrets[GoogleSetting.serviceAccount] = try file(store) { file in
                    file["private_key"] = .string(try GoogleStore.googleKey.get().pkcs8PEMRepresentation)
                }
            },
            Row("a clock that is ahead", asked: "this server's clock is wrong", drift: 7_200),
            Row("a clock that is behind", asked: "this server's clock is wrong", drift: -7_200),
            Row("no right", asked: "with the rights to see financial data") { store, _ in
                store.google.be(.forbidden, at: "/orders/")
            },
            Row("another package", asked: "has this package name") { _, account in
                account.identifier = "com.example.other"
            },
            Row("Google is away", asked: "answered 503") { store, _ in
                store.google.be(.page(503), at: "/orders/", times: 9)
            },
            Row("nobody listens there", asked: "could not be reached", pushed: "keys could not be fetched") {
                store,
                _ in
                await store.google.stop()
            },
            Row("no pusher", pushed: "push.audience and push.account are not set") { _, account in
                account.settings[GoogleSetting.pushAudience] = nil
                account.settings[GoogleSetting.pushAccount] = nil
            },
            Row("Google's keys are away", pushed: "keys could not be fetched") { store, _ in
                store.google.be(.page(500), at: "/oauth2/", times: 9)
            },
        ]
    }

    @Test("what is wrong is named, and the rest is well", arguments: Row.all)
    func row(_ row: Row) async throws {
        try await GoogleStore.run { store in
            var account = store.account
            try await row.change(store, &account)
            let clock = store.clock
            let gateway = GoogleGateway(
                policy: AppleRetryPolicy(pauses: [], longestWait: .seconds(60)),
                clock: AppleServerClock(
                    now: { clock.now.addingTimeInterval(row.drift) },
                    sleep: { _ in },
                    jitter: { 0 }
                )
            )
            let found = await gateway.probe(account, at: store.now)
            #expect(found.count == 2)
            for (finding, words) in zip(found, [row.asked, row.pushed]) {
                #expect((finding.problem == nil) == (words == nil), "\(finding)")
                #expect(finding.problem?.contains(words ?? "") ?? true, "\(finding)")
                #expect(!"\(finding)".contains("\n"), "it is one line")
                #expect(!"\(finding)".contains("PRIVATE KEY"))
            }
        }
    }

    @Test("an account that cannot work is said to be one, and nobody is asked") func misconfigured() async throws {
        try await GoogleStore.run { store in
            var account = store.account
            account.settings[GoogleSetting.pushAudience] = nil
            let found = await store.gateway.probe(account, at: store.now)
            #expect(found.map(\.problem) == ["The audience of the push subscription is missing."])
            #expect(store.google.asked.isEmpty)
        }
    }
}
