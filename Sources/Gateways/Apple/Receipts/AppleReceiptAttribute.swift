import Foundation
import SwiftASN1

/// One attribute of a receipt: a number that says what it is, and DER within an octet string (stores/apple.md, 3).
struct AppleReceiptAttribute {
    /// nil for a number beyond those that Apple has given out.
    let type: Int?
    let value: ArraySlice<UInt8>

    /// The attributes of a receipt's payload, or of an in-app purchase within it. Apple does not sort the set.
    ///
    /// - Throws: `.malformed` for anything but a SET of SEQUENCE { INTEGER, INTEGER, OCTET STRING }.
    static func read(_ bytes: ArraySlice<UInt8>) throws(GatewayError) -> [AppleReceiptAttribute] {
        do {
            let set = try DER.parse(bytes)
            guard set.identifier == .set, case .constructed(let nodes) = set.content else {
                throw ASN1Error.unexpectedFieldType(set.identifier)
            }
            return try nodes.map(AppleReceiptAttribute.init(node:))
        } catch {
            throw GatewayError(.malformed, "The receipt's content is not a set of attributes.", underlying: error)
        }
    }

    private init(node: ASN1Node) throws {
        (type, value) = try DER.sequence(node, identifier: .sequence) { nodes in
            guard let type = nodes.next(), type.identifier == .integer else { throw Self.incomplete }
            guard let version = nodes.next(), version.identifier == .integer else { throw Self.incomplete }
            let value = try ASN1OctetString(derEncoded: &nodes)
            return (try? Int(derEncoded: type), value.bytes)
        }
    }

    private static var incomplete: ASN1Error {
        .invalidASN1Object(reason: "an attribute needs a type, a version and a value")
    }
}

extension AppleReceiptAttribute {
    /// A text of any of ASN.1's kinds; nil for an empty one.
    ///
    /// - Throws: `.malformed` for another type, and for what PostgreSQL cannot keep.
    func text() throws(GatewayError) -> String? {
        guard !value.isEmpty else { return nil }
        let node = try node()
        guard [.utf8String, .ia5String, .printableString].contains(node.identifier),
            case .primitive(let bytes) = node.content, let text = String(validating: bytes, as: UTF8.self),
            !bytes.contains(0)
        else { throw wrongType("a text") }
        return text.isEmpty ? nil : text
    }

    /// A whole number; nil for an empty value.
    func integer() throws(GatewayError) -> Int64? {
        guard !value.isEmpty else { return nil }
        do {
            return try Int64(derEncoded: try node())
        } catch {
            throw wrongType("a whole number", underlying: error)
        }
    }

    /// RFC 3339 within a text; nil for an empty one, which Apple writes for "never".
    func date() throws(GatewayError) -> Date? {
        guard let text = try text() else { return nil }
        guard let date = AppleReceiptDate.date(text) else { throw wrongType("a date") }
        return date
    }

    private func node() throws(GatewayError) -> ASN1Node {
        do {
            return try DER.parse(value)
        } catch {
            throw wrongType("DER", underlying: error)
        }
    }

    private func wrongType(_ expected: StaticString, underlying: (any Error)? = nil) -> GatewayError {
        GatewayError(.malformed, "Attribute \(type ?? -1) of the receipt is not \(expected).", underlying: underlying)
    }
}
