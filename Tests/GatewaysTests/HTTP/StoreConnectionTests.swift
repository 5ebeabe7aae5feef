import Foundation
import Testing

@testable import Gateways

@Suite("Connections to stores")
struct StoreConnectionTests {
    @Test("one question after the other goes over one connection, with bodies and without")
    func kept() async throws {
        let questions = Questions()
        let store = try RawStore { connection in
            while let question = connection.request() {
                questions.append(question)
                connection.write(Self.ok)
            }
        }
        for _ in 0..<20 {
            #expect(await TransportResult.of(StoreRequest("GET", store.url)).body == "ok")
            let post = StoreRequest("POST", store.url, body: Data("a question".utf8))
            #expect(await TransportResult.of(post).body == "ok")
        }
        #expect(store.connections == 1)
        #expect(questions.all.count == 40)
        store.stop()
    }

    @Test("a store that leaves the questions of twenty-five apps without an answer answers the others")
    func silentForMany() async throws {
        let store = try RawStore { connection in
            while let question = connection.request() {
                guard question.hasPrefix("GET /silent ") else {
                    connection.write(Self.ok)
                    continue
                }
                // Until the other side gives up.
                _ = connection.request()
                return
            }
        }
        let transport = HTTPStoreTransport(transfers: Transfers(idleTime: .seconds(60)), options: TransferOptions())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for app in 0..<25 {
                for _ in 0..<8 {
                    group.addTask {
                        let url = store.url + "/silent"
                        let request = StoreRequest("GET", url, timeout: .seconds(600), asker: "\(app)")
                        _ = await TransportResult.of(request, over: transport)
                    }
                }
            }
            try await Task.sleep(for: .milliseconds(200))
            for app in 25..<30 {
                let request = StoreRequest("GET", store.url + "/answered", timeout: .seconds(120), asker: "\(app)")
                #expect(await TransportResult.of(request, over: transport).body == "ok")
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        store.stop()
    }

    @Test("what is sent is what was asked for, and nothing that libcurl would add")
    func sent() async throws {
        let questions = Questions()
        let store = try RawStore { connection in
            while let question = connection.request() {
                questions.append(question)
                connection.write(Self.ok)
            }
        }
        let headers = ["Authorization": "Bearer a token", "X-Empty": ""]
        let requests = [
            StoreRequest("GET", store.url + "/a/../b?c=%20d#e", headers: headers),
            StoreRequest(
                "POST",
                store.url + "/p",
                headers: ["Content-Type": "text/plain"],
                body: Data("body\0end".utf8)
            ),
            StoreRequest("PUT", store.url + "/p", body: Data("put".utf8)), StoreRequest("POST", store.url + "/p"),
            StoreRequest("DELETE", store.url + "/p"),
        ]
        for request in requests { #expect(await TransportResult.of(request).body == "ok") }
        let host = "Host: 127.0.0.1:\(store.port)\r\n"
        #expect(
            questions.all == [
                "GET /a/../b?c=%20d HTTP/1.1\r\n\(host)Authorization: Bearer a token\r\nX-Empty:\r\n\r\n",
                "POST /p HTTP/1.1\r\n\(host)Content-Type: text/plain\r\nContent-Length: 8\r\n\r\nbody\0end",
                "PUT /p HTTP/1.1\r\n\(host)Content-Length: 3\r\n\r\nput",
                "POST /p HTTP/1.1\r\n\(host)Content-Length: 0\r\n\r\n", "DELETE /p HTTP/1.1\r\n\(host)\r\n",
            ]
        )
        store.stop()
    }

    @Test("a connection that nobody needs any more is closed, and the next question makes another")
    func idle() async throws {
        let questions = Questions()
        let store = try RawStore { connection in
            connection.answerAll(Self.ok)
            questions.append("hung up")
        }
        let transport = HTTPStoreTransport(
            transfers: Transfers(idleTime: .milliseconds(20)),
            options: TransferOptions()
        )
        for number in 1...2 {
            #expect(await TransportResult.of(StoreRequest("GET", store.url), over: transport).body == "ok")
            await questions.wait(for: "hung up", times: number)
        }
        #expect(store.connections == 2)
        store.stop()
    }

    @Test("transfers that nobody holds any more end, with their connections")
    func ended() async throws {
        let questions = Questions()
        let store = try RawStore { connection in
            connection.answerAll(Self.ok)
            questions.append("hung up")
        }
        do {
            let transfers = Transfers(idleTime: .seconds(600))
            let transport = HTTPStoreTransport(transfers: transfers, options: TransferOptions())
            #expect(await TransportResult.of(StoreRequest("GET", store.url), over: transport).body == "ok")
            #expect(questions.all.isEmpty)
        }
        await questions.wait(for: "hung up")
        store.stop()
    }

    @Test("a body of two megabytes is sent without a pause")
    func longQuestion() async throws {
        let store = try RawStore { $0.answerAll(Self.ok) }
        let result = await TransportResult.of(StoreRequest("POST", store.url, body: Data(count: 2 << 20)))
        #expect(result.body == "ok", "\(result.outcome)")
        store.stop()
    }

    @Test("stores have addresses of both kinds")
    func six() async throws {
        let store = try RawStore(onIPv6: true) { $0.answerAll(Self.ok) }
        #expect(await TransportResult.of(StoreRequest("GET", store.url)).body == "ok")
        store.stop()
    }

    @Test("a thousand questions at once are all answered, over no more connections than one host may have")
    func thousand() async throws {
        let store = try RawStore { $0.answerAll(Self.ok) }
        let answers = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<1_000 {
                group.addTask { await TransportResult.of(StoreRequest("GET", store.url, timeout: .seconds(300))).body }
            }
            return await group.reduce(into: [:]) { counts, body in counts[body ?? "", default: 0] += 1 }
        }
        #expect(answers == ["ok": 1_000])
        #expect(store.connections <= TransferOptions.usualRequestsPerHost)
        store.stop()
    }

    @Test("what waits for its turn for too long was never asked")
    func noTurn() async throws {
        let questions = Questions()
        let store = try RawStore { connection in
            questions.append(connection.request() ?? "")
            connection.beSilent()
        }
        let transport = HTTPStoreTransport(requestsPerHost: 1)
        let first = Task {
            await TransportResult.of(StoreRequest("GET", store.url + "/first", timeout: .seconds(600)), over: transport)
        }
        await questions.wait(for: "GET /first")
        let second = await TransportResult.of(
            StoreRequest("GET", store.url + "/second", timeout: .milliseconds(200)),
            over: transport
        )
        #expect(second.reason == .connectTimedOut)
        #expect(second.error?.isLate == false)
        first.cancel()
        #expect(await first.value.reason == .cancelled)
        #expect(questions.all.count == 1)
        store.stop()
    }

    @Test("a silent store keeps no other from being asked")
    func turns() async throws {
        let silent = try RawStore { $0.beSilent() }
        let store = try RawStore { $0.answerAll(Self.ok) }
        let tasks = (0..<200).map { _ in
            Task { await TransportResult.of(StoreRequest("GET", silent.url, timeout: .seconds(600))) }
        }
        #expect(await TransportResult.of(StoreRequest("GET", store.url)).body == "ok")
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value.reason == .cancelled) }
        silent.stop()
        store.stop()
    }

    @Test("who is cancelled goes on within a tenth of a second, under way and while waiting for a turn")
    func cancelled() async throws {
        let questions = Questions()
        let store = try RawStore { connection in
            guard let question = connection.request() else { return }
            questions.append(String(question.prefix { $0 != " " }))
            connection.beSilent()
            questions.append("hung up on \(question.prefix { $0 != " " })")
        }
        let transport = HTTPStoreTransport(requestsPerHost: 1)
        var times: [Duration] = []
        // Other programs on the machine may hold some of them up.
        for number in 0..<40 where number < 5 || (times.min() ?? .zero) >= .milliseconds(100) {
            func ask(_ method: String) -> Task<TransportResult, Never> {
                Task {
                    await TransportResult.of(StoreRequest(method, store.url, timeout: .seconds(600)), over: transport)
                }
            }
            let underWay = ask("M\(number)")
            await questions.wait(for: "M\(number)")
            let tasks = [ask("WAITING"), underWay]
            let start = ContinuousClock.now
            for task in tasks { task.cancel() }
            for task in tasks {
                let result = await task.value
                #expect(result.code == .unreachable)
                #expect(result.reason == .cancelled)
                #expect(result.error?.isLate == false)
            }
            times.append(ContinuousClock.now - start)
            // The connection ends as well: the store is not left waiting.
            await questions.wait(for: "hung up on M\(number)")
        }
        #expect(try #require(times.min()) < .milliseconds(100))
        #expect(!questions.all.contains { $0.hasPrefix("WAITING") })
        store.stop()
    }

    @Test("who was cancelled before asks nothing")
    func cancelledBefore() async throws {
        let store = try RawStore { $0.answerAll(Self.ok) }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await TransportResult.of(StoreRequest("GET", store.url))
        }
        #expect(await task.value.reason == .cancelled)
        #expect(store.connections == 0)
        store.stop()
    }

    @Test("a host that nobody knows, and one where nobody listens")
    func nobody() async throws {
        let store = try RawStore { _ in }
        store.stop()
        #expect(await TransportResult.of(StoreRequest("GET", store.url)).reason == .refused)
        let unknown = await TransportResult.of(StoreRequest("GET", "http://nobody.invalid/", timeout: .seconds(20)))
        #expect(unknown.code == .unreachable)
        #expect(unknown.reason == .unresolved || unknown.reason == .connectTimedOut)
    }

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
}
