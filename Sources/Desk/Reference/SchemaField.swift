import APITypes
import HTTP

/// One field of what a call is sent or answered, by its path from the outside: `orders[].customer.id`.
struct SchemaField: Sendable {
    let path: String
    let schema: JSONSchema
    let isRequired: Bool
    /// The path at which the fields of this one stand already; nil where they follow, or where it has none.
    let sameAs: String?

    /// All fields of a schema, each followed by those within it. A resource is spelled out once, where it first stands:
    /// so one that holds itself comes to an end.
    static func list(of schema: JSONSchema) -> [SchemaField] {
        var fields: [SchemaField] = []
        var places: [String: String] = [:]
        append(schema, at: "", to: &fields, &places)
        return fields
    }

    private static func append(
        _ schema: JSONSchema,
        at path: String,
        to fields: inout [SchemaField],
        _ places: inout [String: String]
    ) {
        if let component = schema.reference {
            guard places[component.name] == nil else { return }
            places[component.name] = path.isEmpty ? component.name : path
            append(component.schema, at: path, to: &fields, &places)
        } else if let element = schema.element {
            append(element, at: path + "[]", to: &fields, &places)
        } else {
            for member in schema.members ?? [] {
                let name = path.isEmpty ? member.name : "\(path).\(member.name)"
                let place = member.schema.innermost.reference.flatMap { places[$0.name] }
                fields.append(
                    SchemaField(path: name, schema: member.schema, isRequired: member.isRequired, sameAs: place)
                )
                append(member.schema, at: name, to: &fields, &places)
            }
        }
    }
}
