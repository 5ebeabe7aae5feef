import Foundation
import Gateways
import Testing

@Suite("Stores that hang, lie or never stop")
struct LyingStoreTests {
    @Test("a store that takes the question and says nothing is late: what was asked may have been done")
    func silent() async throws {
        let store = try RawStore { $0.beSilent() }
        let result = await TransportResult.untilAsked(StoreRequest("POST", store.url))
        #expect(result.code == .unreachable)
        #expect(result.reason == .timedOut)
        #expect(result.error?.isLate == true)
        store.stop()
    }

    @Test("a store that stops in the middle of its answer is late, too")
    func stalled() async throws {
        let store = try RawStore { connection in
            _ = connection.request()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            connection.beSilent()
        }
        let result = await TransportResult.untilAsked(StoreRequest("GET", store.url))
        #expect(result.error?.isLate == true)
        store.stop()
    }

    @Test("where no connection is made in time, nothing was asked")
    func connecting() async throws {
        // A client waits for the server's first message of TLS.
        let store = try RawStore { $0.beSilent() }
        let url = "https://127.0.0.1:\(store.port)/"
        let inTotal = await TransportResult.of(StoreRequest("GET", url, timeout: .milliseconds(200)))
        #expect(inTotal.code == .unreachable)
        #expect(inTotal.reason == .connectTimedOut)
        #expect(inTotal.error?.isLate == false)
        store.stop()
    }

    @Test(
        "an answer that is cut, and one that never begins, is no answer, whatever way the connection ends",
        arguments: [true, false]
    )
    func cut(byReset: Bool) async throws {
        for words in ["", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"] {
            let store = try RawStore { connection in
                _ = connection.request()
                connection.write(words)
                if byReset { connection.reset() }
            }
            let result = await TransportResult.of(StoreRequest("GET", store.url))
            #expect(result.code == .unreachable, "\(words)")
            #expect(result.reason == .cut, "\(words)")
            #expect(result.error?.isLate == false)
            store.stop()
        }
    }

    @Test("a chunked answer without its end is no answer")
    func cutChunks() async throws {
        let store = try RawStore { connection in
            _ = connection.request()
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n")
        }
        #expect(await TransportResult.of(StoreRequest("GET", store.url)).reason == .cut)
        store.stop()
    }

    @Test("what hangs up on a question that came over a kept connection is not asked again")
    func askedOnce() async throws {
        let questions = Questions()
        let store = try RawStore { connection in
            while let question = connection.request() {
                questions.append(question)
                guard question.hasPrefix("GET /first") else { return }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
        for method in ["GET", "POST"] {
            #expect(await TransportResult.of(StoreRequest("GET", store.url + "/first")).code == nil)
            let result = await TransportResult.of(StoreRequest(method, store.url + "/effect"))
            #expect(result.code == .unreachable)
            #expect(result.reason == .cut)
        }
        #expect(questions.all.count { $0.contains("/effect") } == 2)
        store.stop()
    }

    @Test("a body longer than allowed is malformed as soon as it is, with and without an announced length")
    func longBody() async throws {
        let store = try RawStore { connection in
            let question = connection.request() ?? ""
            let isAnnounced = question.hasPrefix("GET /announced")
            connection.write("HTTP/1.1 200 OK\r\n\(isAnnounced ? "Content-Length: 1000000000000\r\n" : "")\r\n")
            while connection.write(String(repeating: "x", count: 10_000)) {}
        }
        for path in ["/announced", "/endless"] {
            let request = StoreRequest("GET", store.url + path, longestAnswer: 1_000_000)
            let result = await TransportResult.of(request)
            #expect(result.code == .malformed)
            #expect(result.error?.message == "The store's answer is longer than 1000000 bytes.")
        }
        store.stop()
    }

    @Test(
        "headers without end are malformed, many short ones and one long one, before the answer and behind it",
        arguments: [
            ("HTTP/1.1 200 OK\r\n", "X-More: more\r\n"), ("HTTP/1.1 200 OK\r\nX-Long: ", "more"),
            ("", "HTTP/1.1 100 Continue\r\n\r\n"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X-More: more\r\n"),
        ]
    )
    func endlessHeaders(beginning: String, more: String) async throws {
        let store = try RawStore { connection in
            _ = connection.request()
            connection.write(beginning)
            let block = String(repeating: more, count: 100)
            while connection.write(block) {}
        }
        let result = await TransportResult.of(StoreRequest("GET", store.url, timeout: .seconds(60)))
        #expect(result.code == .malformed, "\(result.outcome)")
        #expect(result.error?.message == "The headers of the store's answer are longer than 65536 bytes.")
        store.stop()
    }

    @Test("what is no HTTP is no answer", arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "{}\n", "HTTP/9.9 hello\r\n\r\n"])
    func otherProtocols(words: String) async throws {
        let store = try RawStore { connection in
            _ = connection.request()
            connection.write(words)
        }
        #expect(await TransportResult.of(StoreRequest("GET", store.url)).code == .unreachable)
        store.stop()
    }

    @Test("what announces the answer is not taken for it, and headers that repeat are joined")
    func interim() async throws {
        let store = try RawStore { connection in
            _ = connection.request()
            connection.write("HTTP/1.1 103 Early Hints\r\nX-Early: yes\r\n\r\n")
            connection.write("HTTP/1.1 200 OK\r\nX-Two: one\r\nContent-Length: 2\r\nx-two: two\r\nX-None:\r\n\r\nok")
        }
        let response = try await HTTPStoreTransport().send(StoreRequest("GET", store.url))
        #expect(response.status == 200)
        #expect(response.headers == ["x-two": "one, two", "content-length": "2", "x-none": ""])
        store.stop()
    }
}
