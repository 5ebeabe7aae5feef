/// The statements a connection has prepared, by text and bind types; the least recently used goes first.
struct StatementCache {
    struct Key: Hashable {
        let text: String
        /// A hash of the bind types: one text can be prepared for several.
        let signature: UInt64

        init(_ query: Query) {
            text = query.text
            signature = query.binds.reduce(14_695_981_039_346_656_037) {
                ($0 ^ UInt64($1.type.rawValue)) &* 1_099_511_628_211
            }
        }

        /// A text is hashed by its length: to hash all of it takes longer than to compare it once with its equal.
        func hash(into hasher: inout Hasher) {
            hasher.combine(signature)
            hasher.combine(text.utf8.count)
        }
    }

    /// A statement under the name it was given.
    struct Statement: Hashable {
        let key: Key
        let name: String
    }

    private struct Entry {
        let name: String
        var lastUse: Int
    }

    private let limit: Int
    private var entries: [Key: Entry] = [:]
    private var clock = 0
    private var namesGiven = 0

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    var count: Int { entries.count }

    /// The name under which a statement is prepared, nil when it is not.
    mutating func name(of key: Key) -> String? {
        clock += 1
        guard let index = entries.index(forKey: key) else { return nil }
        entries.values[index].lastUse = clock
        return entries.values[index].name
    }

    /// Gives a new statement its name; a second name is that of the statement that must go for it.
    mutating func insert(_ key: Key) -> (name: String, evicted: String?) {
        let evicted = entries.count < limit ? nil : entries.min { $0.value.lastUse < $1.value.lastUse }
        if let evicted { entries[evicted.key] = nil }
        namesGiven += 1
        clock += 1
        let entry = Entry(name: "s\(namesGiven)", lastUse: clock)
        entries[key] = entry
        return (entry.name, evicted?.value.name)
    }

    /// The server does not have it any more, or not as it is now. False when that was known already: since then the
    /// statement may have another name.
    @discardableResult
    mutating func forget(_ statement: Statement) -> Bool {
        guard entries[statement.key]?.name == statement.name else { return false }
        entries[statement.key] = nil
        return true
    }
}
