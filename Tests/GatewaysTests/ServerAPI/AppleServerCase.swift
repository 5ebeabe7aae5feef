import Billing
import Foundation
import Gateways
import Testing

/// A case of Apple's own client tests: the request to send, the answer, and the outcome.
struct AppleServerCase: CustomTestStringConvertible, Sendable {
    /// Apple's name of the test.
    let name: String
    let method: String
    let path: String
    let query: [String]
    let body: JSON?
    let reply: StubTransport.Reply
    /// Makes the call, and expects the outcome.
    let call: @Sendable (AppleServerAPI) async throws -> Void

    var testDescription: String { name }

    init(
        _ name: String,
        _ method: String,
        _ path: String,
        query: [String] = [],
        body: JSON? = nil,
        reply: StubTransport.Reply,
        call: @escaping @Sendable (AppleServerAPI) async throws -> Void
    ) {
        self.name = name
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.reply = reply
        self.call = call
    }

    static let empty = StubTransport.Reply.response(StoreResponse(status: 200))

    static let all = subscriptions + transactions + notifications + effects + failures
}

/// Returns the error that a call ends with.
func failure(
    _ work: () async throws -> Void
) async throws -> AppleServerError {
    do {
        try await work()
    } catch let error as AppleServerError {
        return error
    }
    throw Unfailed()
}

struct Unfailed: Error {}
