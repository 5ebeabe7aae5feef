package import APITypes
import HTTPTypes
package import Hummingbird
package import NIOCore

/// The description of the API for programs: OpenAPI 3.1, made of the routes and what they take and answer.
package struct APIDocument: Sendable {
    package let body: ByteBuffer
    private let tag: EntityTag

    package init(_ routes: [DescribedRoute]) {
        var json = JSONWriter(capacity: 100_000)
        Self.write(routes, to: &json)
        body = ByteBuffer(bytes: json.bytes)
        tag = EntityTag(of: json.bytes)
    }

    /// `GET /openapi.json`
    @Sendable package func show(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let headers: HTTPFields = [
            .contentType: "application/json", .cacheControl: "public, max-age=300", .eTag: tag.text,
        ]
        if tag.isKnown(to: request) { return Response(status: .notModified, headers: headers) }
        var response = Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
        Compressible.mark(&response)
        return response
    }

    private static func write(_ routes: [DescribedRoute], to json: inout JSONWriter) {
        json.object { json in
            json.member("openapi", "3.1.0")
            json.object("info") { json in
                json.member("title", "Perennial API")
                json.member("version", "1")
                json.member("summary", "What the back office knows, for programs of your own.")
                json.member("description", description)
            }
            json.name("servers")
            json.array(["/"]) { json, url in json.object { $0.member("url", url) } }
            json.name("security")
            json.array([securityScheme]) { json, scheme in
                json.object { json in
                    json.name(scheme)
                    json.array([String]()) { $1.write(to: &$0) }
                }
            }
            json.name("tags")
            json.array(APIOperation.Tag.allCases) { json, tag in
                json.object { json in
                    json.member("name", tag.rawValue)
                    json.member("description", tag.meaning)
                }
            }
            writePaths(routes, to: &json)
            writeComponents(routes.map(\.operation), to: &json)
        }
    }

    private static func writePaths(_ routes: [DescribedRoute], to json: inout JSONWriter) {
        let byPath = Dictionary(grouping: routes, by: \.path)
        var written: Set<String> = []
        json.object("paths") { json in
            for path in routes.map(\.path) where written.insert(path).inserted {
                json.name(path)
                json.object { json in
                    for route in byPath[path] ?? [] {
                        json.name(route.method.rawValue.lowercased())
                        route.write(to: &json)
                    }
                }
            }
        }
    }

    private static func writeComponents(_ operations: [APIOperation], to json: inout JSONWriter) {
        json.object("components") { json in
            json.object("securitySchemes") { json in
                json.name(securityScheme)
                json.object { json in
                    json.member("type", "http")
                    json.member("scheme", "bearer")
                    json.member("description", "A staff token, `pst_…`.")
                }
                json.name(appServerScheme)
                json.object { json in
                    json.member("type", "http")
                    json.member("scheme", "bearer")
                    json.member("description", "A secret key of the app, `psk_…`, for its own server.")
                }
                json.name(customerScheme)
                json.object { json in
                    json.member("type", "http")
                    json.member("scheme", "bearer")
                    json.member("bearerFormat", "JWT")
                    json.member("description", "An access token of one of the app's customers.")
                }
            }
            json.object("parameters") { json in
                for (name, parameter) in APIParameter.shared {
                    json.name(name)
                    parameter.write(to: &json)
                }
            }
            json.object("responses") { json in
                for response in ErrorAnswer.allCases {
                    json.name(response.name)
                    response.write(to: &json)
                }
            }
            json.object("schemas") { json in
                for component in components(of: operations) {
                    json.name(component.name)
                    component.schema.write(to: &json)
                }
            }
        }
    }

    /// Everything that is named, and what that names, each once.
    package static func components(of operations: [APIOperation]) -> [JSONSchema.Component] {
        let schemas = operations.flatMap { [$0.body?.schema, $0.answer.schema].compactMap(\.self) }
        var waiting = (schemas + [Problem.schema]).flatMap(\.components)
        var found: [JSONSchema.Component] = []
        var names: Set<String> = []
        while !waiting.isEmpty {
            let component = waiting.removeFirst()
            guard names.insert(component.name).inserted else { continue }
            found.append(component)
            waiting.insert(contentsOf: component.schema.components, at: 0)
        }
        return found
    }

    private static let securityScheme = "staffToken"
    package static let customerScheme = "customerToken"
    package static let appServerScheme = "appKey"

    package static let description = """
        Send a staff token (`perennial staff token EMAIL --name NAME`) as a bearer token. It may do what its owner's role may. \
        Personal data (names, e-mail addresses, notes, reasons, what was before and after, network addresses) is null unless \
        the owner is support or admin and the token has `customers:read`. Amounts are decimal numbers, times are RFC 3339 in \
        UTC, every error is a problem (RFC 9457). Values may be added to every list of values in answers: take one that you do not \
        know as such, and not as an error. A parameter that is there twice, and one that the operation does not list, \
        is refused; so is an empty one wherever it has a list of values, a pattern, a format or a least length. Bodies are \
        JSON in UTF-8 without a byte order mark; another encoding is 400, and a member that is there twice is 422 and named.
        """
}

extension APIParameter {
    /// The parameters that operations refer to by a name.
    package static let shared = [
        ("App", app), ("IdempotencyKey", idempotencyKey), ("OptionalIdempotencyKey", optionalIdempotencyKey),
    ]
}

extension JSONWriter {
    package mutating func member(_ name: StaticString, _ text: String) {
        self.name(name)
        string(text)
    }

    package mutating func object(_ name: StaticString, _ members: (inout JSONWriter) -> Void) {
        self.name(name)
        object(members)
    }
}
