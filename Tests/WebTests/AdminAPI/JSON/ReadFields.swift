import APITypes
import Foundation

/// A decoder that has a value for every field, and notes the fields' names.
final class ReadFields: Decoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    fileprivate var names: [String] = []

    static func names(of type: any Resource.Type) throws -> [String] {
        let decoder = ReadFields()
        _ = try type.init(from: decoder)
        return decoder.names
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Members<Key>(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { NoElements() }

    func singleValueContainer() -> any SingleValueDecodingContainer { AnyValue() }

    fileprivate static func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let known: [any Decodable] = ["", false, 0, Int64(0), 0.0, Decimal(0), UUID(), Date(timeIntervalSince1970: 0)]
        for value in known { if let value = value as? Value { return value } }
        return try Value(from: ReadFields())
    }
}

private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ReadFields
    let codingPath: [any CodingKey] = []
    let allKeys: [Key] = []

    func contains(_ key: Key) -> Bool { note(key) != nil }

    func decodeNil(forKey key: Key) -> Bool { note(key) != nil }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        note(key)
        return try ReadFields.value(type)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        note(key)
        return nil
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        ReadFields().container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { NoElements() }

    func superDecoder() -> any Decoder { ReadFields() }

    func superDecoder(forKey key: Key) -> any Decoder { ReadFields() }

    @discardableResult
    private func note(_ key: Key) -> String? {
        decoder.names.append(key.stringValue)
        return key.stringValue
    }
}

private struct AnyValue: SingleValueDecodingContainer {
    let codingPath: [any CodingKey] = []

    func decodeNil() -> Bool { true }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try ReadFields.value(type) }
}

private struct NoElements: UnkeyedDecodingContainer {
    let codingPath: [any CodingKey] = []
    let count: Int? = 0
    let isAtEnd = true
    let currentIndex = 0

    func decodeNil() -> Bool { true }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try ReadFields.value(type) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
        ReadFields().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { self }

    func superDecoder() -> any Decoder { ReadFields() }
}
