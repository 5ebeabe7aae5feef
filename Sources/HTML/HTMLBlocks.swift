import Synchronization

/// Blocks of memory that pages are written into, kept for the next page: an allocator does much work for large ones.
package enum HTMLBlocks {
    /// Bytes of a block; most pages fit into one.
    package static let size = 32_768
    private static let mostKept = 64
    private static let kept = Mutex<[Block]>([])

    private struct Block: @unchecked Sendable {
        let bytes: UnsafeMutableRawPointer
    }

    static func take(_ capacity: Int) -> UnsafeMutableRawPointer {
        let block = capacity == size ? kept.withLock { $0.popLast() } : nil
        return block?.bytes ?? .allocate(byteCount: capacity, alignment: 16)
    }

    static func giveBack(_ bytes: UnsafeMutableRawPointer, _ capacity: Int) {
        let block = Block(bytes: bytes)
        let isKept =
            capacity == size
            && kept.withLock { kept in
                guard kept.count < mostKept else { return false }
                kept.append(block)
                return true
            }
        if !isKept { bytes.deallocate() }
    }
}
