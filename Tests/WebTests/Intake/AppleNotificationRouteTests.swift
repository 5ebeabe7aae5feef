import APITypes
import Foundation
import HTTPTypes
import NIOCore
import Operations
import RouterTesting
import Synchronization
import Testing

@testable import Desk
@testable import HTTP

@Suite("Apple's notifications at the door") struct AppleNotificationRouteTests {
    static let json: HTTPFields = [.contentType: "application/json"]

    @Test("what is stored is answered with 200, at both addresses, however the JSON is written")
    func stored() async throws {
        let received = Received()
        try await TestSite.run(receive: received.receive) { site in
            try await site.app.test(.router) { client async throws in
                for path in ["/webhooks/apple", "/ios/webhook"] {
                    for body in [
                        #"{"signedPayload":"a.b-_.C9"}"#, #" { "signedPayload" : "a.b-_.C9" } "#,
                        #"{"other":[1,{"x":null}],"signedPayload":"a.b-_\u002eC9"}"#,
                    ] {
                        let answer = try await Self.post(client, path, body)
                        #expect(answer.status == .ok)
                        #expect(answer.body.readableBytes == 0)
                    }
                }
                #expect(received.payloads == Array(repeating: "a.b-_.C9", count: 6))
                let bare = try await client.executeRequest(
                    uri: "/webhooks/apple",
                    method: .post,
                    headers: [:],
                    body: ByteBuffer(string: #"{"signedPayload":"x"}"#)
                )
                #expect(bare.status == .ok)
            }
        }
    }

    @Test(
        "what is no notification is refused, and nothing is received",
        arguments: [
            ("", 400), ("{", 400), ("not json", 400), ("\u{0}", 400), (#"{"signedPayload":"a"#, 400), ("[]", 422),
            ("{}", 422), ("null", 422), ("\"text\"", 422), ("7", 422), (#"{"signedPayload":null}"#, 422),
            (#"{"signedPayload":7}"#, 422), (#"{"signedPayload":{}}"#, 422), (#"{"signedPayload":""}"#, 422),
            (#"{"signedpayload":"a"}"#, 422), (#"{"signedPayload":"a\u0000b"}"#, 422),
            (#"{"signedPayload":"a b","signedPayload":"c"}"#, 422), ("\u{FEFF}{}", 400),
            (String(repeating: "[", count: 100_000), 400),
            (#"{"a":"# + String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000) + "}", 400),
        ]
    )
    func refused(_ body: String, _ status: Int) async throws {
        let received = Received()
        try await TestSite.run(receive: received.receive) { site in
            try await site.app.test(.router) { client async throws in
                let answer = try await Self.post(client, "/webhooks/apple", body)
                #expect(answer.status.code == status)
                let problem = try JSONDecoder().decode(Problem.self, from: Data(answer.text.utf8))
                #expect(problem.status == status)
                #expect(problem.errors.map(\.field) == (status == 422 ? ["signedPayload"] : []))
                #expect(received.payloads.isEmpty)
            }
        }
    }

    @Test("bytes that are no UTF-8 are refused")
    func noText() async throws {
        let received = Received()
        try await TestSite.run(receive: received.receive) { site in
            try await site.app.test(.router) { client async throws in
                let body = ByteBuffer(bytes: Array(#"{"signedPayload":""#.utf8) + [0xFF, 0xFE] + Array(#""}"#.utf8))
                let answer = try await client.executeRequest(
                    uri: "/webhooks/apple",
                    method: .post,
                    headers: Self.json,
                    body: body
                )
                #expect([400, 422].contains(answer.status.code))
                #expect(received.payloads.isEmpty)
            }
        }
    }

    @Test("a body of 1 MiB is read, one byte more is 413, another media type 415")
    func size() async throws {
        let received = Received()
        try await TestSite.run(receive: received.receive) { site in
            try await site.app.test(.router) { client async throws in
                let frame = #"{"signedPayload":""}"#.utf8.count
                let full = String(repeating: "a", count: 1_048_576 - frame)
                #expect(try await Self.post(client, "/webhooks/apple", #"{"signedPayload":"\#(full)"}"#).status == .ok)
                let over = try await Self.post(client, "/webhooks/apple", #"{"signedPayload":"\#(full)a"}"#)
                #expect(over.status == .contentTooLarge)
                #expect(over.headers[.connection] == "close")
                let form = try await client.executeRequest(
                    uri: "/webhooks/apple",
                    method: .post,
                    headers: [.contentType: "application/x-www-form-urlencoded"],
                    body: ByteBuffer(string: "{}")
                )
                #expect(form.status == .unsupportedMediaType)
                #expect(received.payloads.count == 1)
            }
        }
    }

    @Test(
        "what the back office says has its status",
        arguments: [
            (OperationsError.Code.notAuthentic, 401), (.wrongApp, 403), (.overloaded, 503), (.misconfigured, 503),
        ]
    )
    func outcomes(_ code: OperationsError.Code, _ status: Int) async throws {
        let receive: @Sendable (String) async throws -> Void = { _ in
            throw OperationsError(code, "The reason.", retryAfter: code == .overloaded ? 7 : nil)
        }
        try await TestSite.run(receive: receive) { site in
            try await site.app.test(.router) { client async throws in
                let answer = try await Self.post(client, "/webhooks/apple", #"{"signedPayload":"a.b.c"}"#)
                #expect(answer.status.code == status)
                let wait: String? = code == .overloaded ? "7" : code == .misconfigured ? "5" : nil
                #expect(answer.headers[.retryAfter] == wait)
            }
        }
    }

    @Test("an error that nobody expected is an internal error without its text")
    func stranger() async throws {
        struct Stranger: Error { var secret = "password=hunter2" }
        let receive: @Sendable (String) async throws -> Void = { _ in throw Stranger() }
        try await TestSite.run(receive: receive) { site in
            try await site.app.test(.router) { client async throws in
                let answer = try await Self.post(client, "/webhooks/apple", #"{"signedPayload":"a.b.c"}"#)
                #expect(answer.status == .internalServerError)
                #expect(!answer.text.contains("hunter2") && !answer.text.contains("Stranger"))
            }
        }
    }

    @Test("with the real verifier, nonsense is not authentic and nothing is stored")
    func realVerifier() async throws {
        try await TestSite.run { site in
            try await site.app.test(.router) { client async throws in
                for payload in [
                    "a.b.c", "x", "....", "eyJhbGciOiJub25lIn0.e30.", String(repeating: "a", count: 500_000),
                ] {
                    let answer = try await Self.post(client, "/webhooks/apple", #"{"signedPayload":"\#(payload)"}"#)
                    #expect(answer.status == .unauthorized, "\(payload.prefix(30)): \(answer.status)")
                }
                let header = Data(#"{"alg":"ES256","x5c":["MAA=","MAA=","MAA="]}"#.utf8).base64EncodedString()
                let body = Data(#"{"data":{"bundleId":"com.elsewhere"}}"#.utf8).base64EncodedString()
                let token = "\(header).\(body).c2ln".replacing("=", with: "")
                let foreign = try await Self.post(client, "/webhooks/apple", #"{"signedPayload":"\#(token)"}"#)
                #expect([401, 403].contains(foreign.status.code))
                #expect(try await site.count("store_notifications") == 0)
            }
        }
    }

    private static func post(
        _ client: TestClient,
        _ path: String,
        _ body: String
    ) async throws -> TestResponse {
        try await client.executeRequest(uri: path, method: .post, headers: json, body: ByteBuffer(string: body))
    }
}

/// Keeps the notifications that came through.
private final class Received: Sendable {
    private let list = Mutex<[String]>([])

    var payloads: [String] { list.withLock { $0 } }

    var receive: @Sendable (String) async throws -> Void {
        { payload in self.list.withLock { $0.append(payload) } }
    }
}
