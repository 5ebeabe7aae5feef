package import APITypes
import HTTPTypes

extension DescribedRoute {
    /// As OpenAPI's Operation Object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("operationId", operation.id)
            json.name("tags")
            [operation.tag.rawValue].write(to: &json)
            if operation.mayTakeToken {
                json.name("security")
                json.array([true, false]) { json, hasToken in
                    json.object { json in
                        guard hasToken else { return }
                        json.name(APIDocument.customerScheme)
                        json.array([String]()) { $1.write(to: &$0) }
                    }
                }
            } else if let security {
                json.name("security")
                json.array(security) { json, scheme in
                    json.object { json in
                        json.name(scheme)
                        json.array([String]()) { $1.write(to: &$0) }
                    }
                }
            }
            json.member("summary", operation.summary)
            if let meaning = operation.meaning { json.member("description", meaning) }
            json.name("parameters")
            json.array(references) { json, parameter in parameter.write(to: &json) }
            if let body = operation.body {
                json.object("requestBody") { json in
                    json.name("required")
                    // Without a body, nothing is said; that will do where nothing has to be.
                    json.literal((body.schema.members ?? []).contains(where: \.isRequired) ? "true" : "false")
                    json.content("application/json", body.schema)
                }
            }
            json.object("responses") { json in
                operation.answer.write(to: &json)
                for error in errors {
                    json.name("\(error.rawValue)")
                    json.object { $0.member("$ref", "#/components/responses/\(error.name)") }
                }
            }
        }
    }

    /// The token that it takes, where that is not a staff token.
    private var security: [String]? {
        switch access {
        case .customer: [APIDocument.customerScheme]
        case .appServer: [APIDocument.appServerScheme]
        case .open: []
        case .store, .operatorOnly, .signedIn, .staff, .token: nil
        }
    }

    package var takesStaffToken: Bool { security == nil }

    package var takesToken: Bool { access != .open }

    /// All that it takes besides its body.
    package var parameters: [APIParameter] {
        operation.path + (namesApp ? [.app] : []) + operation.query + (takesKey ? [.idempotencyKey] : [])
            + (operation.mayTakeKey ? [.optionalIdempotencyKey] : [])
    }

    /// True if the caller may name the app.
    private var namesApp: Bool { takesStaffToken || operation.namesApp }

    private var references: [Reference] {
        operation.path.map { .itself($0) } + (namesApp ? [.named("App")] : [])
            + operation.query.map { .itself($0) }
            + (takesKey ? [.named("IdempotencyKey")] : [])
            + (operation.mayTakeKey ? [.named("OptionalIdempotencyKey")] : [])
    }

    /// True if a call needs an idempotency key; a method that has one effect by itself, however often it is called, needs none.
    package var takesKey: Bool { operation.takesKey && ![.get, .put, .delete].contains(method) }

    /// The errors that it can answer.
    package var errors: [ErrorAnswer] {
        ErrorAnswer.allCases.filter { error in
            switch error {
            case .forbidden:
                takesStaffToken || operation.isRestricted || security == [APIDocument.appServerScheme]
            case .unauthenticated: access != .open || operation.body != nil || operation.mayTakeToken
            case .badRequest, .addressTooLong, .invalid, .tooMany, .headersTooLarge, .internal, .unavailable:
                true
            case .notFound: operation.findsByBody || path.contains("{")
            case .conflict: operation.body != nil || operation.asksStore
            case .tooLarge, .mediaType: operation.body != nil
            }
        }
    }

    /// A parameter, or the name of a shared one.
    private enum Reference {
        case itself(APIParameter)
        case named(String)

        func write(to json: inout JSONWriter) {
            switch self {
            case .itself(let parameter): parameter.write(to: &json)
            case .named(let name): json.object { $0.member("$ref", "#/components/parameters/\(name)") }
            }
        }
    }
}

extension APIOperation.Answer {
    fileprivate func write(to json: inout JSONWriter) {
        json.name("\(status.code)")
        json.object { json in
            json.member("description", meaning)
            let headers: [StaticString] = (hasLocation ? ["Location"] : []) + (isTagged ? ["ETag"] : [])
            if !headers.isEmpty { json.headers(headers) }
            if let schema {
                json.object("content") { json in
                    json.media("application/json", schema)
                    if let otherwise {
                        json.media(otherwise.type, String.schema.following([], meaning: otherwise.meaning))
                    }
                }
            }
        }
        guard isTagged else { return }
        json.name("304")
        json.object { json in
            json.member("description", "It is as `If-None-Match` names it.")
            json.headers(["ETag"])
        }
    }
}

extension JSONWriter {
    package mutating func content(_ type: String, _ schema: JSONSchema) {
        object("content") { $0.media(type, schema) }
    }

    fileprivate mutating func media(_ type: String, _ schema: JSONSchema) {
        name(type)
        object { json in
            json.name("schema")
            schema.write(to: &json)
        }
    }

    /// Headers that are texts.
    fileprivate mutating func headers(_ names: [StaticString]) {
        object("headers") { json in
            for name in names {
                json.object(name) { json in
                    json.name("schema")
                    String.schema.write(to: &json)
                }
            }
        }
    }
}
