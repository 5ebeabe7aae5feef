import Foundation
package import Gateways

/// An answer of the store that something between it and us has spoiled: a proxy, a portal, a broken cache. What was asked
/// for is done.
package enum FieldAnswer: Hashable, Sendable {
    /// As whole, with the status and the length of what is left; nil for half of it.
    case cut(bytes: Int? = nil)
    /// A page with the status of the answer.
    case html
    case empty
    case null
    /// Every member of the answer has another type.
    case wrongTypes
    /// A page with that status.
    case status(Int)
    /// Every entry of every list comes twice.
    case twice

    package func spoiling(_ response: StoreResponse) -> StoreResponse {
        var spoiled = response
        switch self {
        case .cut(let bytes): spoiled.body = response.body.prefix(bytes ?? response.body.count / 2)
        case .html: spoiled = Self.page(response.status)
        case .empty: spoiled.body = Data()
        case .null: spoiled.body = Data("null".utf8)
        case .wrongTypes: spoiled.body = Self.changed(response.body) { $0.withWrongTypes }
        case .status(let status): spoiled = Self.page(status)
        case .twice: spoiled.body = Self.changed(response.body) { $0.withEntriesTwice }
        }
        return spoiled
    }

    private static func page(_ status: Int) -> StoreResponse {
        StoreResponse(
            status: status,
            headers: ["content-type": "text/html"],
            body: Data(
                "<html><head><title>Welcome</title></head><body>Please sign in to the network.</body></html>".utf8
            )
        )
    }

    private static func changed(_ body: Data, _ change: (JSON) -> JSON) -> Data {
        guard let json = try? JSON(parsing: Array(body)) else { return body }
        return Data(change(json).bytes)
    }
}

extension FieldAnswer {
    /// By the `kind` of a fault.
    init?(_ body: JSON) {
        switch (body["kind"]?.string, body["status"]?.integer) {
        case ("cut", _): self = .cut(bytes: body["bytes"]?.integer.map { Int(clamping: max(0, $0)) })
        case ("html", _): self = .html
        case ("empty", _): self = .empty
        case ("null", _): self = .null
        case ("wrongTypes", _): self = .wrongTypes
        case ("page", let status?) where (100..<600).contains(status): self = .status(Int(clamping: status))
        case ("twice", _): self = .twice
        default: return nil
        }
    }
}

extension JSON {
    fileprivate var withWrongTypes: JSON {
        guard case .object(let members) = self else { return .object([]) }
        return .object(members.map { Member(name: $0.name, value: $0.value.ofAnotherType) })
    }

    private var ofAnotherType: JSON {
        switch self {
        case .string: .integer(7)
        case .integer, .number: .string("seven")
        case .bool: .string("perhaps")
        case .array: .string("many")
        case .object: .array([])
        case .null: .bool(true)
        }
    }

    fileprivate var withEntriesTwice: JSON {
        switch self {
        case .array(let entries): .array(entries.flatMap { [$0.withEntriesTwice, $0.withEntriesTwice] })
        case .object(let members):
            .object(members.map { Member(name: $0.name, value: $0.value.withEntriesTwice) })
        case .string, .integer, .number, .bool, .null: self
        }
    }
}
