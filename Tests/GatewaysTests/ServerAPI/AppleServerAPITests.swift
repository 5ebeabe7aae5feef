import Billing
import Crypto
import Foundation
import Gateways
import Testing

@Suite("The App Store Server API")
struct AppleServerAPITests {
    @Test("is asked as Apple's own client asks it, and read alike", arguments: AppleServerCase.all)
    func asApple(row: AppleServerCase) async throws {
        let transport = StubTransport([row.reply])
        let api = try AppleServerAPI(transport, policy: .once)
        try await row.call(api)
        let request = try #require(transport.asked.first)
        let parts = request.url.split(separator: "?", maxSplits: 1).map(String.init)
        #expect(request.method == row.method)
        #expect(parts[0].hasSuffix(".apple.com" + row.path))
        #expect((parts.dropFirst().first?.split(separator: "&").map(String.init) ?? []) == row.query)
        #expect(try request.body.map { try JSON(parsing: Array($0)) } == row.body)
        #expect(request.headers["Accept"] == "application/json")
        #expect(request.headers["Content-Type"] == (row.body == nil ? nil : "application/json"))
        #expect(request.headers["Authorization"]?.hasPrefix("Bearer ") == true)
    }

    @Test("the addresses are Apple's, one for each environment")
    func addresses() async throws {
        let transport = StubTransport([.json(["signedTransactionInfo": "a.b.c"])])
        let api = try AppleServerAPI(transport)
        let first = try await api.transaction("1")
        let second = try await api.transaction("1", in: .sandbox)
        #expect(first.environment == .production)
        #expect(second.environment == .sandbox)
        #expect(
            transport.asked.map(\.url) == [
                "https://api.storekit.apple.com/inApps/v1/transactions/1",
                "https://api.storekit-sandbox.apple.com/inApps/v1/transactions/1",
            ]
        )
    }

    @Test("a transaction that production does not know is looked for in the sandbox, and the answer says so")
    func otherEnvironment() async throws {
        for reply: StubTransport.Reply in [.error(4_040_010), .page(401)] {
            let transport = StubTransport([reply, .json(["signedTransactionInfo": "a.b.c"])])
            let clock = TestServerClock()
            let answer = try await AppleServerAPI(transport, clock).transaction("1")
            #expect(answer.environment == .sandbox)
            #expect(clock.slept.isEmpty)
        }
        let nowhere = StubTransport([.error(4_040_010)])
        let error = try await failure { _ = try await AppleServerAPI(nowhere).transaction("1") }
        #expect(error.code == .transactionIDNotFound)
        #expect(error.environment == .sandbox)
        #expect(nowhere.asked.count == 2)
    }

    @Test("a fresh transaction that nobody knows yet is asked for again before that is believed")
    func fresh() async throws {
        let found = StubTransport.Reply.json(["signedTransactionInfo": "a.b.c"])
        let transport = StubTransport([
            .error(4_040_010), .error(4_040_010), .error(4_040_010), .error(4_040_010), found,
        ])
        let clock = TestServerClock()
        let answer = try await AppleServerAPI(transport, clock).transaction("1", isFresh: true)
        #expect(answer.environment == .production)
        #expect(clock.slept == [.seconds(1), .seconds(2)])
    }

    @Test("what goes by is waited for: one, two, four, eight seconds, and then it is told")
    func retried() async throws {
        let passing: [StubTransport.Reply] = [
            .failure(.unreachable), .page(502), .error(5_000_001), .error(4_040_002), .error(4_040_004),
        ]
        for reply in passing {
            let transport = StubTransport([reply])
            let clock = TestServerClock()
            let api = try AppleServerAPI(transport, clock)
            let error = try await failure { _ = try await api.transaction("1", in: .production) }
            #expect(error.isRetryable)
            #expect(transport.asked.count == 5)
            #expect(clock.slept == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
        }
    }

    @Test("what does something is told again only where that does no more")
    func effects() async throws {
        let test = StubTransport([.failure(.unreachable)])
        _ = try await failure { _ = try await AppleServerAPI(test).requestTestNotification(in: .production) }
        #expect(test.asked.count == 1)
        let limited = StubTransport([.error(4_290_000), .json(["testNotificationToken": "t"])])
        _ = try await AppleServerAPI(limited).requestTestNotification(in: .production)
        #expect(limited.asked.count == 2)
        let extended = StubTransport([.failure(.unreachable), .json(["success": true])])
        let length = AppleExtension(days: 3, reason: .outage, requestIdentifier: "r")
        #expect(try await AppleServerAPI(extended).extend("1", by: length, in: .production).isSuccess)
        #expect(Set(extended.asked.map(\.body)).count == 1)
    }

    @Test("Apple says in milliseconds when it may be asked again; a far date is told, not waited for")
    func retryAfter() async throws {
        let soon = TestServerClock.start.addingTimeInterval(7)
        let header = ["retry-after": "\(Int64(soon.timeIntervalSince1970 * 1_000))"]
        let transport = StubTransport([.error(4_290_000, headers: header), .json(["signedTransactionInfo": "a.b.c"])])
        let clock = TestServerClock()
        _ = try await AppleServerAPI(transport, clock).transaction("1", in: .production)
        #expect(clock.slept == [.seconds(7)])
        let far = TestServerClock.start.addingTimeInterval(3_600)
        let farHeader = ["retry-after": "\(Int64(far.timeIntervalSince1970 * 1_000))"]
        let later = StubTransport([.error(4_290_000, headers: farHeader)])
        let waiting = TestServerClock()
        let error = try await failure { _ = try await AppleServerAPI(later, waiting).transaction("1", in: .production) }
        #expect(error.retryAfter == far)
        #expect(waiting.slept.isEmpty)
        #expect(later.asked.count == 1)
    }

    @Test("a header that is no moment is none")
    func absurdRetryAfter() async throws {
        for text in ["soon", "-5", "1e300", "nan", "inf", "", "253402300799001"] {
            let transport = StubTransport([.error(4_290_000, headers: ["retry-after": text])])
            let api = try AppleServerAPI(transport, policy: .once)
            let error = try await failure { _ = try await api.transaction("1", in: .production) }
            #expect(error.retryAfter == nil, "\(text)")
        }
    }

    @Test("pages are read to the end with the same question, and begin again where their place has expired")
    func pages() async throws {
        func page(_ name: String, more: Bool, token: JSON?) -> StubTransport.Reply {
            var body: JSON = ["notificationHistory": [["signedPayload": .string(name)]], "hasMore": .bool(more)]
            body["paginationToken"] = token
            return .json(body)
        }
        let transport = StubTransport([
            page("one", more: true, token: "1"), .error(4_000_017), page("one", more: true, token: "1"),
            page("two", more: false, token: nil),
        ])
        let query = AppleNotificationQuery(from: .now.addingTimeInterval(-60), to: .now)
        var payloads: [String] = []
        for try await page in try AppleServerAPI(transport).notifications(query, in: .production) {
            payloads += page.notifications.map(\.signedPayload)
        }
        #expect(payloads == ["one", "one", "two"])
        #expect(Set(transport.asked.map(\.body)).count == 1)
        let tokens = transport.asked.map { $0.url.contains("paginationToken=1") }
        #expect(tokens == [false, true, false, true])
    }

    @Test("a list that never says where it goes on is an error, not a short list")
    func endless() async throws {
        for body: JSON in [["hasMore": true], ["hasMore": true, "revision": "r"]] {
            let api = try AppleServerAPI(StubTransport([.json(body)]))
            let error = try await failure {
                for try await _ in api.history(of: "1", after: "r", in: .production) {}
            }
            #expect(error.cause?.code == .malformed)
        }
    }

    @Test("the environment that knew the first page is asked for the others")
    func pagesElsewhere() async throws {
        let transport = StubTransport([
            .error(4_040_010), .json(["hasMore": true, "revision": "a"]), .json(["hasMore": false, "revision": "b"]),
        ])
        for try await page in try AppleServerAPI(transport).history(of: "1") { #expect(page.environment == .sandbox) }
        #expect(transport.asked.map { $0.url.contains("sandbox") } == [false, true, true])
    }

    @Test("an id cannot lead to another path")
    func ids() async throws {
        let transport = StubTransport([.json(["signedTransactionInfo": "a.b.c"])])
        let api = try AppleServerAPI(transport)
        for id in ["", ".", "..", String(repeating: "1", count: 257)] {
            let error = try await failure { _ = try await api.transaction(id) }
            #expect(error.code == .invalidTransactionID)
            #expect(!error.isRetryable)
        }
        #expect(transport.asked.isEmpty)
        _ = try await api.transaction("1/../2?a=b#c d", in: .production)
        #expect(transport.asked.first?.url.hasSuffix("/inApps/v1/transactions/1%2F..%2F2%3Fa%3Db%23c%20d") == true)
    }

    @Test("an answer keeps what is not known here")
    func unknownFields() async throws {
        let transport = StubTransport([.json(["signedTransactionInfo": "a.b.c", "mood": "good"])])
        #expect(try await AppleServerAPI(transport).transaction("1").json["mood"] == "good")
    }

    @Test("an answer that is not JSON is malformed, and asked for again as if none had come")
    func malformed() async throws {
        for body in ["<html>", "", #"{"signedTransactionInfo":"#] {
            let transport = StubTransport([.response(StoreResponse(status: 200, body: Data(body.utf8)))])
            let error = try await failure { _ = try await AppleServerAPI(transport).transaction("1") }
            #expect(error.cause?.code == .malformed)
            #expect(error.httpStatus == 200)
            #expect(!error.isSaidNo)
            #expect(transport.asked.count == 5)
        }
    }

    @Test("Apple's limit is kept before Apple has to say so")
    func paced() async throws {
        let transport = StubTransport([.json(["testNotificationToken": "t"])])
        let clock = TestServerClock()
        let api = try AppleServerAPI(transport, clock)
        for _ in 0..<3 { _ = try await api.requestTestNotification(in: .sandbox) }
        #expect(clock.slept == [.seconds(10), .seconds(10)])
        let hasty = try AppleServerAPI(transport, clock, policy: .once)
        _ = try await hasty.requestTestNotification(in: .sandbox)
        let error = try await failure { _ = try await hasty.requestTestNotification(in: .sandbox) }
        #expect(error.code == .rateLimitExceeded)
        #expect(error.httpStatus == nil)
    }
}
