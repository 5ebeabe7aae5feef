package import APITypes
package import Billing
import Foundation
package import Storage

/// A parameter of a question: how it is described, and how it is read.
package struct QueryParameter<Value: Sendable>: QueryParameterDescription {
    package let description: APIParameter
    /// - Throws: the reason why a text is no value of it.
    package let read: @Sendable (String) throws(WebError) -> Value

    /// - Parameters:
    ///   - rule: the values that it takes, for a caller who sends another: "a number from 1 to 100".
    ///   - read: nil for a text that is no value of it.
    package init(
        _ name: String,
        _ schema: JSONSchema,
        _ meaning: String? = nil,
        is rule: String,
        _ read: @escaping @Sendable (String) -> Value?
    ) {
        description = APIParameter(name, in: .query, schema, meaning)
        self.read = { text throws(WebError) in
            guard let value = read(text) else { throw WebError(.invalid, "\(name) is \(rule).", field: name) }
            return value
        }
    }

    /// One of a few words.
    package init(
        _ name: String,
        oneOf words: [String],
        _ meaning: String? = nil,
        preset: String? = nil,
        _ read: @escaping @Sendable (String) -> Value?
    ) {
        let rules: [JSONSchema.Rule] = [.oneOf(words)] + (preset.map { [.preset(.string($0))] } ?? [])
        self.init(
            name,
            String.schema.following(rules),
            meaning,
            is: "one of \(words.joined(separator: ", "))",
            read
        )
    }

    fileprivate init(
        description: APIParameter,
        read: @escaping @Sendable (String) throws(WebError) -> Value
    ) {
        (self.description, self.read) = (description, read)
    }
}

package protocol QueryParameterDescription: Sendable {
    var description: APIParameter { get }
}

extension QueryParameter where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the cases, as they are called.
    package init(_ name: String, _ type: Value.Type = Value.self, _ meaning: String? = nil, preset: Value? = nil) {
        self.init(name, oneOf: Value.allCases.map(\.rawValue), meaning, preset: preset?.rawValue) {
            Value(rawValue: $0)
        }
    }

    /// One of the cases in capitals, as the readmigo document writes them.
    package init(capitals name: String, _ type: Value.Type = Value.self, _ meaning: String? = nil, preset: Value? = nil)
    {
        let words = Value.allCases.map { $0.rawValue.uppercased() }
        self.init(name, oneOf: words, meaning, preset: preset?.rawValue.uppercased()) { text in
            Value.allCases.first { $0.rawValue.uppercased() == text }
        }
    }
}

extension QueryParameter where Value == String {
    private static var longest: Int { 200 }

    /// A search text.
    package static func search(_ name: String = "q", _ meaning: String? = nil) -> Self {
        Self(description: APIParameter(name, in: .query, String.schema.following([.length(0, longest)]), meaning)) {
            text throws(WebError) in
            guard text.unicodeScalars.count <= longest else {
                throw WebError(.invalid, "\(name) is a text of at most \(longest) characters.", field: name)
            }
            return SearchInput.text(text)
        }
    }

    /// A name or a code.
    package static func name(_ name: String, longest: Int, _ meaning: String? = nil) -> Self {
        let said = meaning.map { "\($0) An empty one is refused." } ?? "An empty one is refused."
        let rule = "a text of 1 to \(longest) characters"
        return Self(name, String.schema.following([.length(1, longest)]), said, is: rule) {
            $0.isEmpty || $0.unicodeScalars.count > longest ? nil : $0
        }
    }
}

extension QueryParameter where Value == Int {
    /// A number of a range.
    package static func number(
        _ name: String,
        _ range: ClosedRange<Int>,
        _ meaning: String? = nil,
        preset: Int? = nil
    ) -> Self {
        let rules: [JSONSchema.Rule] =
            [.range(range.lowerBound, range.upperBound)] + (preset.map { [.preset(.number(Decimal($0)))] } ?? [])
        let rule = "a number from \(range.lowerBound) to \(range.upperBound)"
        return Self(name, Int.schema.following(rules), meaning, is: rule) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension QueryParameter where Value == Bool {
    package static func flag(_ name: String, _ meaning: String) -> Self {
        Self(name, Bool.schema, meaning, is: "one of true, false") { ["true": true, "false": false][$0] }
    }
}

extension QueryParameter where Value == BusinessDay {
    package static func day(_ name: String, _ meaning: String) -> Self {
        let days = BusinessDay.nameable
        let range = "A day from \(days.lowerBound) to \(days.upperBound)"
        let said = "\(meaning) \(range); any other, and an empty one, is refused."
        return Self(description: APIParameter(name, in: .query, JSONSchema("string", format: "date"), said)) {
            text throws(WebError) in
            do throws(BusinessDay.Unreadable) {
                return try BusinessDay(reading: text)
            } catch {
                throw WebError(.invalid, "\(name) is a d\(range.dropFirst(3)).", field: name)
            }
        }
    }
}

extension QueryParameter where Value == Currency {
    package static func currency(_ name: String, _ meaning: String) -> QueryParameter<Currency> {
        Self(name, String.schema.following([.currencyCode]), meaning, is: "a code of ISO 4217, such as CNY") {
            Currency($0)
        }
    }
}

extension QueryParameter where Value == SortDirection {
    /// - Parameter preset: nil where it depends on the order.
    package static func direction(preset: SortDirection? = .descending) -> Self { Self("dir", preset: preset) }
}

extension QueryParameter where Value == Customer.ID {
    package static var customer: Self {
        Self("customer", JSONSchema("string", format: "uuid"), "A customer's id.", is: "a UUID") { Customer.ID($0) }
    }
}

extension QueryParameter where Value == Store {
    /// A store, as the readmigo document names it.
    package static func source(_ meaning: String? = nil) -> Self {
        Self("source", oneOf: Vocabulary.sources, meaning) { Store(source: $0) }
    }
}

/// The position at which a page of a list begins; read with the kind of its list (`ListParameters.position`).
package struct PageParameter: QueryParameterDescription {
    package let description = APIParameter(
        "after",
        in: .query,
        String.schema.following([.length(1)]),
        "The `next` of the page before. An empty one is refused."
    )

    package init() {}
}
