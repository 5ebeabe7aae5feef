import Foundation

/// A moment in RFC 3339, UTC, in whole seconds: `2024-12-01T00:00:00Z`, as Swift's `.iso8601` reads it (lightgallery).
struct SecondTime: JSONRepresentable {
    let date: Date

    static var schema: JSONSchema { Date.schema }

    func write(to json: inout JSONWriter) {
        date.write(to: &json)
    }

    /// The second that the moment is in.
    init(_ date: Date) {
        self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    }

    init(from decoder: any Decoder) throws {
        self.init(try Date(from: decoder))
    }

    func encode(to encoder: any Encoder) throws {
        try date.encode(to: encoder)
    }
}

extension Field {
    /// A moment that is written in whole seconds.
    static func seconds(
        _ name: StaticString,
        _ value: @escaping @Sendable (Root) -> Date,
        _ meaning: String? = nil
    ) -> Self {
        guard let meaning else { return Self(name, { root in SecondTime(value(root)) }) }
        return Self(name, { root in SecondTime(value(root)) }, meaning)
    }

    /// One that there may not be; then it is null.
    static func secondsOrNull(
        _ name: StaticString,
        _ value: @escaping @Sendable (Root) -> Date?,
        _ meaning: String
    ) -> Self {
        Self(name, { root in value(root).map { SecondTime($0) } }, meaning)
    }
}
