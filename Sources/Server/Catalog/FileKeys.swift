/// The keys that a file can have, as its type reads them.
indirect enum FileKeys {
    /// A value, or what the type checks itself.
    case any
    /// A mapping of these keys.
    case keys([String: FileKeys])
    /// A mapping of names that the file chooses, with the same below each.
    case names(FileKeys)
    case list(FileKeys)

    /// Learns them by having the type decoded from nothing.
    ///
    /// - Throws: what the type throws for empty texts and zeros.
    init<File: Decodable>(of type: File.Type) throws {
        let place = ReadPlace()
        _ = try File(from: RecordingDecoder(place: place))
        self = place.keys
    }
}

/// A place in a file, with what was read below it.
private final class ReadPlace {
    private var members: [String: ReadPlace] = [:]
    private var element: ReadPlace?

    /// Stands for a name that the file chooses.
    static let anyName = "*"

    var keys: FileKeys {
        if let element { return .list(element.keys) }
        if let names = members[Self.anyName] { return .names(names.keys) }
        return members.isEmpty ? .any : .keys(members.mapValues(\.keys))
    }

    func member(_ name: String) -> ReadPlace {
        let place = members[name] ?? ReadPlace()
        members[name] = place
        return place
    }

    func anyElement() -> ReadPlace {
        let place = element ?? ReadPlace()
        element = place
        return place
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let type = type as? any BlankValue.Type, let blank = type.blank as? Value { return blank }
        return try Value(from: RecordingDecoder(place: self))
    }
}

/// A value that stands for any of its type.
private protocol BlankValue {
    static var blank: Self { get }
}

extension String: BlankValue {
    fileprivate static var blank: String { "" }
}

extension Bool: BlankValue {
    fileprivate static var blank: Bool { false }
}

extension Int: BlankValue {
    fileprivate static var blank: Int { 0 }
}

extension Int64: BlankValue {
    fileprivate static var blank: Int64 { 0 }
}

/// Gives a type one of everything that it asks for, and records the keys.
private struct RecordingDecoder: Decoder {
    let place: ReadPlace
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RecordedMembers<Key>(place: place))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { RecordedElement(place: place.anyElement()) }

    func singleValueContainer() -> any SingleValueDecodingContainer { RecordedValue(place: place) }
}

private struct RecordedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let place: ReadPlace
    var codingPath: [any CodingKey] { [] }
    /// Asked for by dictionaries alone.
    var allKeys: [Key] { [ReadPlace.anyName].compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try place.member(key.stringValue).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(RecordedMembers<Nested>(place: place.member(key.stringValue)))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
        RecordedElement(place: place.member(key.stringValue).anyElement())
    }

    func superDecoder() -> any Decoder { RecordingDecoder(place: place) }

    func superDecoder(forKey key: Key) -> any Decoder { RecordingDecoder(place: place.member(key.stringValue)) }
}

/// A list of one.
private struct RecordedElement: UnkeyedDecodingContainer {
    let place: ReadPlace
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 1 }
    private(set) var currentIndex = 0
    var isAtEnd: Bool { currentIndex > 0 }

    init(place: ReadPlace) {
        self.place = place
    }

    func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        currentIndex = 1
        return try place.decode(type)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
        currentIndex = 1
        return KeyedDecodingContainer(RecordedMembers<Nested>(place: place))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
        currentIndex = 1
        return RecordedElement(place: place.anyElement())
    }

    mutating func superDecoder() -> any Decoder {
        currentIndex = 1
        return RecordingDecoder(place: place)
    }
}

private struct RecordedValue: SingleValueDecodingContainer {
    let place: ReadPlace
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let type = type as? any BlankValue.Type, let blank = type.blank as? Value else {
            throw DecodingError.typeMismatch(
                type,
                DecodingError.Context(codingPath: [], debugDescription: "There is no blank \(type).")
            )
        }
        return blank
    }
}
