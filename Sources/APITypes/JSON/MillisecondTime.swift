import Foundation

/// A moment in RFC 3339, UTC, with milliseconds also where there are none: `2024-12-01T00:00:00.000Z` (llm-proxy).
struct MillisecondTime: JSONRepresentable {
    let date: Date

    static var schema: JSONSchema { Date.schema }

    func write(to json: inout JSONWriter) {
        json.plainText { TimeText.append(date, showsMilliseconds: true, to: &$0) }
    }

    init(_ date: Date) {
        self.date = date
    }

    init(from decoder: any Decoder) throws {
        date = try Date(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        try date.encode(to: encoder)
    }
}

extension Field {
    /// A moment that is written with milliseconds.
    static func milliseconds(
        _ name: StaticString,
        _ value: @escaping @Sendable (Root) -> Date?,
        _ meaning: String
    ) -> Self {
        Self(name, { root in value(root).map { MillisecondTime($0) } }, meaning)
    }
}
