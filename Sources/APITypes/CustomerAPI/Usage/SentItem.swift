/// An item of a list that is answered item by item: one that cannot be read takes none of the others with it.
public enum SentItem<Item: Resource>: JSONRepresentable {
    case item(Item)
    /// The field that has another type; nil for what is no object.
    case mistake(field: String?)

    public static var schema: JSONSchema { Item.schema.orAnything }

    public init(from decoder: any Decoder) throws {
        do {
            self = .item(try Item(from: decoder))
        } catch let error as DecodingError {
            let path = error.path.dropFirst(decoder.codingPath.count)
            self = .mistake(field: path.first?.stringValue ?? Self.unreadable(in: decoder))
        } catch {
            // Of a number that the type cannot hold, JSONDecoder says so only once it is through.
            self = .mistake(field: Self.unreadable(in: decoder))
        }
    }

    /// The member that holds neither a text nor a whole number, where the decoder does not say which: of 1.5 it does not.
    private static func unreadable(in decoder: any Decoder) -> String? {
        guard let container = try? decoder.container(keyedBy: AnyKey.self) else { return nil }
        return container.allKeys.first { key in
            (try? container.decode(String.self, forKey: key)) == nil
                && (try? container.decode(Int64.self, forKey: key)) == nil
        }?.stringValue
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    public func encode(to encoder: any Encoder) throws {
        guard case .item(let item) = self else { return }
        try item.encode(to: encoder)
    }

    public func write(to json: inout JSONWriter) {
        guard case .item(let item) = self else { return json.literal("null") }
        item.write(to: &json)
    }
}

extension DecodingError {
    fileprivate var path: [any CodingKey] {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath
        case .keyNotFound(let key, let context): context.codingPath + [key]
        @unknown default: []
        }
    }
}
