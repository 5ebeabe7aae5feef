package import Hummingbird

/// The way in which a test reaches the application.
package enum TestRoute: Sendable {
    /// Through its responder, without a socket: requests come from no address.
    case router
    /// Through a socket, and everything that the server does with a connection.
    case live
}

extension ApplicationProtocol {
    /// Runs a test with a client of the application.
    package func test<Value: Sendable>(
        _ route: TestRoute,
        _ body: @Sendable (TestClient) async throws -> Value
    ) async throws -> Value {
        switch route {
        case .router: try await body(inProcessClient())
        case .live: try await served(body)
        }
    }
}
