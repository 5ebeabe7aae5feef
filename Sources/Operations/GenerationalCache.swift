/// A cache of recently requested keys: it certainly keeps the last `generation` of them, and twice as many at most.
///
/// A full generation replaces the one before it, which is dropped. Keys in use have moved on to the new one by then, so one key too many
/// costs one key, and not all.
struct GenerationalCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]
    private let generation: Int

    /// - Parameter generation: the number of keys in one generation, at least 1.
    init(generation: Int) {
        self.generation = max(1, generation)
    }

    var count: Int { young.count + old.count }

    /// nil for what is not known, or not any more.
    mutating func value(of key: Key) -> Value? {
        if let value = young[key] { return value }
        guard let value = old.removeValue(forKey: key) else { return nil }
        keep(value, for: key)
        return value
    }

    mutating func keep(_ value: Value, for key: Key) {
        if young.count >= generation, young[key] == nil { (old, young) = (young, [:]) }
        old[key] = nil
        young[key] = value
    }

    /// Changes the value of a key.
    ///
    /// - Returns: the result of `body`; nil for an unknown key.
    @discardableResult
    mutating func change<Result>(_ key: Key, _ body: (inout Value) -> Result) -> Result? {
        guard var value = value(of: key) else { return nil }
        defer { young[key] = value }
        return body(&value)
    }

    mutating func forget(_ key: Key) {
        young[key] = nil
        old[key] = nil
    }
}
