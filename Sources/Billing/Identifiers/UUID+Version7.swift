package import Foundation

extension UUID {
    /// A UUID version 7 (RFC 9562 5.7): 48 bits of Unix milliseconds, then 74 random bits.
    package static func version7(at now: Date, using random: inout some RandomNumberGenerator) -> UUID {
        let milliseconds = UInt64(bounding: max(0, now.timeIntervalSince1970 * 1_000))
        let high = milliseconds << 16 | 0x7000 | random.next() & 0x0FFF
        let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
