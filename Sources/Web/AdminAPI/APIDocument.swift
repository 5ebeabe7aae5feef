import HTTPTypes
import Hummingbird
import NIOCore

/// What the admin API is, for programs: `docs/api/openapi.json` (OpenAPI 3.1), compiled in.
struct APIDocument: Sendable {
    private let body: ByteBuffer
    private let tag: String

    init(_ files: [EmbeddedFile] = EmbeddedFiles.api) {
        guard let file = files.first(where: { $0.name == "openapi.json" }) else {
            // safe: of the program itself, as it starts
            preconditionFailure("docs/api/openapi.json is not compiled in")
        }
        body = ByteBuffer(bytes: file.bytes)
        tag = "\"\(file.sha256.prefix(16))\""
    }

    /// `GET /openapi.json`
    @Sendable func show(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let headers: HTTPFields = [
            .contentType: "application/json", .cacheControl: "public, max-age=300", .eTag: tag,
        ]
        if request.headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: headers) }
        var response = Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
        Compressible.mark(&response)
        return response
    }
}
