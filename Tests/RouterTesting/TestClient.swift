package import HTTPTypes
package import NIOCore

/// Sends requests to an application under test.
package struct TestClient: Sendable {
    /// The port on 127.0.0.1; nil without a socket.
    package let port: Int?
    private let send: @Sendable (HTTPRequest, ByteBuffer?) async throws -> TestResponse

    init(port: Int? = nil, send: @escaping @Sendable (HTTPRequest, ByteBuffer?) async throws -> TestResponse) {
        (self.port, self.send) = (port, send)
    }

    /// - Parameters:
    ///   - uri: the path and the query, as they stand in the first line of a request.
    ///   - body: the request's body; a request with one states its length.
    /// - Throws: an error if there is no complete answer.
    package func executeRequest(
        uri: String,
        method: HTTPRequest.Method,
        headers: HTTPFields,
        body: ByteBuffer?
    ) async throws -> TestResponse {
        var headers = headers
        if let body { headers[.contentLength] = String(body.readableBytes) }
        let request = HTTPRequest(
            method: method,
            scheme: "http",
            authority: "localhost",
            path: uri,
            headerFields: headers
        )
        return try await send(request, body)
    }
}

/// The application's answer.
package struct TestResponse: Sendable {
    package let status: HTTPResponse.Status
    package let headers: HTTPFields
    package let body: ByteBuffer

    init(_ head: HTTPResponse, body: ByteBuffer) {
        status = head.status
        headers = head.headerFields
        self.body = body
    }
}
