package import Foundation

/// A key of one kind of row: an order's id cannot be passed where a customer's id is asked for.
///
/// The value is a UUID version 7 (RFC 9562 5.7), so keys made later sort later and the index grows at its end.
package struct Identifier<Subject>: Hashable, Sendable, CustomStringConvertible {
    package let uuid: UUID

    package init(_ uuid: UUID) {
        self.uuid = uuid
    }

    /// Reads the canonical text form; nil when it is not a UUID.
    package init?(_ text: some StringProtocol) {
        guard let uuid = UUID(uuidString: String(text)) else { return nil }
        self.init(uuid)
    }

    /// The canonical form in lower case, as URLs and JSON show it.
    package var description: String {
        uuid.uuidString.lowercased()
    }
}

extension Identifier: Codable {
    package init(from decoder: any Decoder) throws {
        uuid = try decoder.singleValueContainer().decode(UUID.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// The subjects of identifiers that have no type of their own in the domain.
package enum App {
    package typealias ID = Identifier<App>
}

/// A person who buys; known to the rules by key alone.
package enum Customer {
    package typealias ID = Identifier<Customer>

    /// The customer of a question that is about nobody in particular.
    static let nobody = ID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
}
