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
            StoreRequest("POST", store.url + "/p", headers: ["Content-Type": "text/plain"], body: Data("body\0end".utf8)),
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

    @Test("a body of two megabytes is sent without a pause")
    func longQuestion() async throws {
        let store = try RawStore { $0.answerAll(Self.ok) }
        let result = await TransportResult.of(StoreRequest("POST", store.url, body: Data(count: 2 << 20)))
        #expect(result.body == "ok")
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
                group.addTask { await TransportResult.of(StoreRequest("GET", store.url, timeout: .seconds(60))).body }
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
        async let first = TransportResult.of(
            StoreRequest("GET", store.url + "/first", timeout: .milliseconds(900)),
            over: transport
        )
        while questions.all.isEmpty { await Task.yield() }
        let second = await TransportResult.of(
            StoreRequest("GET", store.url + "/second", timeout: .milliseconds(200)),
            over: transport
        )
        #expect(second.reason == .connectTimedOut)
        #expect(second.error?.isLate == false)
        #expect(await first.error?.isLate == true)
        #expect(questions.all.count == 1)
        store.stop()
    }

    @Test("a silent store keeps no other from being asked")
    func turns() async throws {
        let silent = try RawStore { $0.beSilent() }
        let store = try RawStore { $0.answerAll(Self.ok) }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    _ = await TransportResult.of(StoreRequest("GET", silent.url, timeout: .seconds(1)))
                }
            }
            let result = await TransportResult.of(StoreRequest("GET", store.url))
            #expect(result.body == "ok")
            #expect(result.time < .milliseconds(900))
            group.cancelAll()
        }
        silent.stop()
        store.stop()
    }

    @Test("who is cancelled goes on within a tenth of a second, under way and while waiting for a turn")
    func cancelled() async throws {
        let questions = Questions()
        let store = try RawStore { connection in
            questions.append(connection.request() ?? "")
            connection.beSilent()
            questions.append("hung up")
        }
        let transport = HTTPStoreTransport(requestsPerHost: 1)
        let tasks = (0..<2).map { _ in
            Task { await TransportResult.of(StoreRequest("GET", store.url, timeout: .seconds(60)), over: transport) }
        }
        while questions.all.isEmpty { await Task.yield() }
        let start = ContinuousClock.now
        for task in tasks { task.cancel() }
        for task in tasks {
            let result = await task.value
            #expect(result.code == .unreachable)
            #expect(result.reason == .cancelled)
            #expect(result.error?.isLate == false)
        }
        #expect(ContinuousClock.now - start < .milliseconds(100))
        // The connection ends, too: the store is not left waiting.
        while !questions.all.contains("hung up") { await Task.yield() }
        #expect(questions.all == ["GET / HTTP/1.1\r\nHost: 127.0.0.1:\(store.port)\r\n\r\n", "hung up"])
        store.stop()
    }

    @Test("who was cancelled before asks nothing")
    func cancelledBefore() async throws {
        let store = try RawStore { $0.answerAll(Self.ok) }
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await TransportResult.of(StoreRequest("GET", store.url))
        }
        task.cancel()
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
