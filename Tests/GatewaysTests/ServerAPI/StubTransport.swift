import Billing
import Foundation
import Gateways
import Synchronization

/// Gives a test's answers in order, and keeps the requests; the last answer repeats.
final class StubTransport: StoreTransport {
    private let state: Mutex<(replies: [Reply], asked: [StoreRequest])>

    enum Reply: Sendable {
        case response(StoreResponse)
        case failure(GatewayError.Code)

        static func json(_ body: JSON, status: Int = 200, headers: [String: String] = [:]) -> Reply {
            .response(StoreResponse(status: status, headers: headers, body: Data(body.bytes)))
        }

        static func error(_ code: Int64, _ message: String = "Testing error.", headers: [String: String] = [:]) -> Reply
        {
            let body: JSON = ["errorCode": .integer(code), "errorMessage": .string(message)]
            return json(body, status: Int(code / 10_000), headers: headers)
        }

        static func page(_ status: Int) -> Reply {
            .response(StoreResponse(status: status, body: Data("<html></html>".utf8)))
        }
    }

    init(_ replies: [Reply]) {
        state = Mutex((replies, []))
    }

    var asked: [StoreRequest] { state.withLock { $0.asked } }

    func send(_ request: StoreRequest) async throws(GatewayError) -> StoreResponse {
        let reply = state.withLock { state in
            state.asked.append(request)
            return state.replies.count > 1 ? state.replies.removeFirst() : state.replies[0]
        }
        switch reply {
        case .response(let response): return response
        case .failure(let code): throw GatewayError(code, "Testing failure.")
        }
    }
}

/// A clock that only sleeping moves.
final class TestServerClock: Sendable {
    static let start = Date(timeIntervalSince1970: 1_790_000_000)

    private let state = Mutex((now: TestServerClock.start, slept: [Duration]()))

    var slept: [Duration] { state.withLock { $0.slept } }
    var now: Date { state.withLock { $0.now } }

    var clock: AppleServerClock {
        AppleServerClock(
            now: { self.now },
            sleep: { duration in
                self.state.withLock { state in
                    state.slept.append(duration)
                    state.now += duration / .seconds(1)
                }
            },
            jitter: { 0 }
        )
    }
}

extension AppleServerAPI {
    /// Makes a client of a stub, for com.example.
    convenience init(
        _ transport: StubTransport,
        _ clock: TestServerClock = TestServerClock(),
        policy: AppleRetryPolicy = .standard
    ) throws {
        try self.init(
            AppleServerCredentials(
                issuerID: "57246542-96fe-1a63-e053-0824d011072a",
                keyID: "ABCDEFGHIJ",
                key: AppleServerKey(pem: TestServerKey.pem),
                bundleID: "com.example"
            ),
            transport: transport,
            policy: policy,
            clock: clock.clock
        )
    }
}
