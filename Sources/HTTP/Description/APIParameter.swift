package import APITypes

/// A parameter as OpenAPI describes it.
package struct APIParameter: Sendable {
    package let name: String
    package let place: Place
    package let schema: JSONSchema
    package let meaning: String?
    package let isRequired: Bool

    package enum Place: String {
        case path, query, header
    }

    package init(_ name: String, in place: Place, _ schema: JSONSchema, _ meaning: String?, isRequired: Bool = false) {
        self.name = name
        self.place = place
        self.schema = schema
        self.meaning = meaning
        self.isRequired = isRequired || place == .path
    }

    /// A part of the path that is a text.
    package static func name(_ name: String, _ meaning: String, example: String) -> Self {
        Self(name, in: .path, String.schema.following([.length(1), .example(.string(example))]), meaning)
    }

    /// A part of the path that is a UUID.
    package static func id(_ name: String, _ meaning: String) -> Self {
        Self(name, in: .path, JSONSchema("string", format: "uuid"), meaning)
    }

    /// The app that the call is for.
    package static let app = Self(
        "app",
        in: .query,
        String.schema.following([.length(1)]),
        "Which app, by its slug, where several are kept. The header `X-App` says the same. An empty one is refused."
    )

    package static let idempotencyKey = Self(
        "Idempotency-Key",
        in: .header,
        String.schema.following([.length(1, 255)]),
        """
        A text of your own, new for each change: sent again with the same key, the same change is made once and answered \
        alike. Kept for a week.
        """,
        isRequired: true
    )

    package static let optionalIdempotencyKey = Self(
        "Idempotency-Key",
        in: .header,
        String.schema.following([.length(1, 255)]),
        """
        A text of your own, new for each change: sent again with the same key, the same change is made once and answered \
        alike; another change under it is 422. What was refused leaves its key unused. Kept for a week.
        """
    )
}

extension APIParameter {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.name("name")
            json.string(name)
            json.name("in")
            json.string(place.rawValue)
            if isRequired {
                json.name("required")
                json.literal("true")
            }
            json.name("schema")
            schema.write(to: &json)
            if let meaning {
                json.name("description")
                json.string(meaning)
            }
        }
    }
}
