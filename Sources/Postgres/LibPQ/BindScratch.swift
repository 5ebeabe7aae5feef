import CLibPQ

/// The query's binds laid out as libpq wants them; reused so that a query allocates nothing for it.
struct BindScratch {
    private var bytes: [UInt8] = []
    private var offsets: [Int] = []
    private var values: [UnsafePointer<CChar>?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []
    private var types: [Oid] = []

    mutating func withParameters(
        _ binds: [Bind],
        _ body: (
            Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?,
            UnsafePointer<Oid>?
        ) -> Bool
    ) -> Bool {
        guard !binds.isEmpty else { return body(0, nil, nil, nil, nil) }
        bytes.removeAll(keepingCapacity: true)
        offsets.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        types.removeAll(keepingCapacity: true)
        for bind in binds {
            offsets.append(bytes.count)
            lengths.append(Int32(bind.bytes?.count ?? 0))  // safe: a body has at most 8 MiB (BodyLimit)
            types.append(bind.type.rawValue)
            bytes.append(contentsOf: bind.bytes ?? [])
        }
        bytes.append(0)  // so that there is an address even when every bind is empty
        while formats.count < binds.count { formats.append(1) }
        return bytes.withUnsafeBytes { memory in
            values.removeAll(keepingCapacity: true)
            for (bind, offset) in zip(binds, offsets) {
                let start = memory.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
                values.append(bind.bytes == nil ? nil : start)
            }
            return body(Int32(binds.count), values, lengths, formats, types)  // safe: as many as a query writes
        }
    }
}
