extension Cell {
    /// The elements of a one-dimensional array; refuses NULL elements.
    func decodeElements<Element: PostgresDecodable>() throws -> [Element] {
        guard let bytes = unsafeBytes else { throw mismatch("is NULL") }
        var position = 0
        func next<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
            guard position + MemoryLayout<Value>.size <= bytes.count else { throw mismatch("ends too early") }
            defer { position += MemoryLayout<Value>.size }
            return Value(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: Value.self))
        }
        let dimensions = try next(Int32.self)
        _ = try next(Int32.self)
        let elementType = PostgresType(rawValue: try next(UInt32.self))
        guard dimensions != 0 else { return [] }
        guard dimensions == 1 else { throw mismatch("has \(dimensions) dimensions") }
        let count = Int(try next(Int32.self))
        // Each element has its length before it.
        guard (0...bytes.count / 4).contains(count) else { throw mismatch("has \(count) elements") }
        _ = try next(Int32.self)
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for _ in 0..<count {
            let length = Int(try next(Int32.self))
            guard length >= 0 else { throw mismatch("has a NULL element") }
            guard position + length <= bytes.count else { throw mismatch("ends too early") }
            let element = UnsafeRawBufferPointer(rebasing: bytes[position..<position + length])
            elements.append(try Element(postgres: self.lending(element, as: elementType)))
            position += length
        }
        return elements
    }
}
