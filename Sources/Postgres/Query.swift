/// SQL text with its binds: `"SELECT name FROM plans WHERE id = \(id)"`.
///
/// `\(value)` becomes `$n` and a bind, `\(fragment)` splices another query and renumbers its binds, and text goes in
/// only with the label `unsafe:`.
package struct Query: Sendable {
    package private(set) var text: String
    package private(set) var binds: [Bind]
    /// The first bind that could not be encoded; running the query throws it.
    private(set) var failure: PostgresError?
    /// The ranges of the binds' `$n` in the text, in UTF-8 bytes; they let a query be spliced into another.
    private var placeholders: [Range<Int>]

    /// Text without binds.
    package init(unsafe text: String) {
        self.text = text
        binds = []
        placeholders = []
    }

    /// Asks the server for every bind as a literal of its type, one text column each.
    var literals: Query {
        var query = self
        let columns = binds.indices.map {
            "'(' || quote_nullable($\($0 + 1)::text) || '::' || pg_typeof($\($0 + 1)) || ')'"
        }
        query.text = "SELECT \(columns.joined(separator: ", "))"
        query.placeholders = []
        return query
    }

    /// This query without binds, for statements that take none.
    ///
    /// - Parameter literals: as the server wrote them, one for each bind.
    func inlining(_ literals: [String]) -> Query {
        var inlined = ""
        var position = text.utf8.startIndex
        for (placeholder, literal) in zip(placeholders, literals) {
            inlined += text[position..<text.utf8.index(text.utf8.startIndex, offsetBy: placeholder.lowerBound)]
            inlined += literal
            position = text.utf8.index(text.utf8.startIndex, offsetBy: placeholder.upperBound)
        }
        inlined += text[position...]
        return Query(unsafe: inlined)
    }

    /// Refuses what must not be sent: a bind that failed, or a NUL, at which C would cut the text.
    func validate() throws {
        if let failure { throw failure }
        let hasNUL = text.utf8.withContiguousStorageIfAvailable { $0.contains(0) } ?? text.utf8.contains(0)
        guard !hasNUL else {
            throw PostgresError(.encoding, "the text of the query contains a NUL")
        }
        guard binds.count <= Int(Int16.max) else {
            throw PostgresError(.encoding, "the query has \(binds.count) binds; the protocol allows \(Int16.max)")
        }
    }
}

extension Query: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) {
        self.init(unsafe: value)
    }

    package init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        binds = stringInterpolation.binds
        failure = stringInterpolation.failure
        placeholders = stringInterpolation.placeholders
    }

    /// Collects text and binds as the literal is read.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var binds: [Bind] = []
        fileprivate var failure: PostgresError?
        fileprivate var placeholders: [Range<Int>] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 4 * interpolationCount)
            binds.reserveCapacity(interpolationCount)
            placeholders.reserveCapacity(interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        /// Text that is not a bind; never build it from what a user typed.
        package mutating func appendInterpolation(unsafe text: String) {
            appendLiteral(text)
        }

        package mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value) {
            do {
                append(try Bind(value))
            } catch {
                failure = failure ?? error as? PostgresError ?? PostgresError(.encoding, "\(error)", underlying: error)
                append(Bind(type: Value.postgresType, bytes: nil))
            }
        }

        /// nil is a NULL of the value's type.
        package mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value?) {
            if let value {
                appendInterpolation(value)
            } else {
                append(Bind(type: Value.postgresType, bytes: nil))
            }
        }

        /// A number for a narrower column: `\(line, as: Int32.self)`. One that does not fit fails the query, not the process.
        package mutating func appendInterpolation<Narrow: PostgresCodable & FixedWidthInteger>(
            _ value: Int?,
            as type: Narrow.Type
        ) {
            guard let value, let narrow = Narrow(exactly: value) else {
                if let value { failure = failure ?? Self.tooLarge(value, for: type) }
                return append(Bind(type: type.postgresType, bytes: nil))
            }
            appendInterpolation(narrow)
        }

        /// Numbers for an array of narrower ones.
        package mutating func appendInterpolation<Narrow>(_ values: [Int], as type: Narrow.Type)
        where Narrow: PostgresArrayElement & FixedWidthInteger {
            if let value = values.first(where: { Narrow(exactly: $0) == nil }) {
                failure = failure ?? Self.tooLarge(value, for: type)
            }
            appendInterpolation(values.map { Narrow(clamping: $0) })
        }

        private static func tooLarge<Narrow: FixedWidthInteger>(_ value: Int, for type: Narrow.Type) -> PostgresError {
            PostgresError(.encoding, "\(value) does not fit into \(type)")
        }

        /// Splices a fragment; its binds follow ours.
        package mutating func appendInterpolation(_ fragment: Query) {
            failure = failure ?? fragment.failure
            let utf8 = fragment.text.utf8
            var position = utf8.startIndex
            for (placeholder, bind) in zip(fragment.placeholders, fragment.binds) {
                let start = utf8.index(utf8.startIndex, offsetBy: placeholder.lowerBound)
                text += fragment.text[position..<start]
                append(bind)
                position = utf8.index(utf8.startIndex, offsetBy: placeholder.upperBound)
            }
            text += fragment.text[position...]
        }

        private mutating func append(_ bind: Bind) {
            binds.append(bind)
            let start = text.utf8.count
            text += "$"
            text += String(binds.count)
            placeholders.append(start..<text.utf8.count)
        }
    }
}
