import Foundation
import Gateways
import StoreSimulator
import Synchronization

/// Sends each request to a store once, and repeats its answer, or a spoiled one, from then on.
final class SpoilingTransport: StoreTransport {
    private let inner: any StoreTransport
    private let state = Mutex(State())

    private struct State {
        var answers: [String: StoreResponse] = [:]
        var part = ""
        var spoiled: StoreResponse?
    }

    init(_ inner: any StoreTransport) {
        self.inner = inner
    }

    /// Returns the answer to a request whose address has that part.
    func answer(to part: String) -> StoreResponse? {
        state.withLock { state in state.answers.first { $0.key.contains(part) }?.value }
    }

    /// - Parameter answer: the answer to each request whose address has that part; nil for the store's own.
    func spoil(_ part: String, with answer: StoreResponse?) {
        state.withLock { ($0.part, $0.spoiled) = (part, answer) }
    }

    func send(_ request: StoreRequest) async throws(GatewayError) -> StoreResponse {
        let key = "\(request.method) \(request.url)"
        let known: StoreResponse? = state.withLock { state in
            if let spoiled = state.spoiled, key.contains(state.part) { return spoiled }
            return state.answers[key]
        }
        if let known { return known }
        let answer = try await inner.send(request)
        state.withLock { $0.answers[key] = answer }
        return answer
    }
}

extension StoreResponse {
    /// Returns spoiled versions of a complete answer; the store would send none of them.
    ///
    /// - Parameter everyByte: true to cut the answer at each of its bytes, false at those of a sample and around its ends.
    func spoiled(everyByte: Bool) -> [(name: String, answer: StoreResponse)] {
        let page = Data("<html><body>Moved, or not found, or please pay</body></html>".utf8)
        func with(_ status: Int, _ body: String) -> StoreResponse {
            StoreResponse(status: status, body: Data(body.utf8))
        }
        var all: [(name: String, answer: StoreResponse)] = [
            (name: "a page", answer: StoreResponse(status: status, body: page)),
            (name: "null", answer: with(status, "null")),
            (name: "true", answer: with(status, "true")), (name: "a list", answer: with(status, "[]")),
            (name: "an empty object", answer: with(status, "{}")),
            (name: "a text", answer: with(status, #""OK""#)),
            (name: "twice", answer: with(status, String(decoding: body + body, as: UTF8.self) + "x")),
            (
                name: "Apple's error with 200",
                answer: with(200, #"{"errorCode":4040010,"errorMessage":"Transaction id not found."}"#)
            ),
            (
                name: "an error of another status",
                answer: with(404, #"{"errorCode":4000006,"errorMessage":"Invalid."}"#)
            ),
            (name: "an error's number as text", answer: with(404, #"{"errorCode":"4040010"}"#)),
            (name: "half of an error", answer: with(404, #"{"errorCode":4040010,"errorMess"#)),
            (name: "an error that nobody knows", answer: with(404, #"{"errorCode":4049999,"errorMessage":"New."}"#)),
            (
                name: "an error of another call",
                answer: with(404, #"{"errorCode":4040014,"errorMessage":"Image not found."}"#)
            ),
            (
                name: "an error of the store's",
                answer: with(500, #"{"errorCode":5000000,"errorMessage":"An unknown error occurred."}"#)
            ),
        ]
        for other in [204, 206, 301, 302, 307, 400, 401, 403, 404, 405, 407, 409, 418, 429, 451, 500, 502, 503, 504] {
            all += [
                (name: "a page with \(other)", answer: StoreResponse(status: other, body: page)),
                (name: "nothing with \(other)", answer: with(other, "")),
                (name: "an object with \(other)", answer: with(other, "{}")),
                (name: "null with \(other)", answer: with(other, "null")),
            ]
        }
        guard !body.isEmpty else { return all }
        all.append((name: "nothing", answer: with(status, "")))
        all.append((name: "other types", answer: FieldAnswer.wrongTypes.spoiling(self)))
        let step = everyByte ? 1 : max(1, body.count / 150)
        for count in 1..<body.count where count < 80 || count > body.count - 80 || count.isMultiple(of: step) {
            all.append((name: "cut at \(count)", answer: FieldAnswer.cut(bytes: count).spoiling(self)))
        }
        return all
    }
}
