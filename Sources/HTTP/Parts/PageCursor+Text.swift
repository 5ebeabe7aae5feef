import Foundation
package import Storage

/// A cursor in a URL was not written by us, or belongs to another list or order.
package struct InvalidCursor: Error, Hashable {
    package init() {}
}

extension PageCursor {
    /// 29 bytes as 39 characters of base64url: kind, value, rows before, key.
    package var text: String {
        var bytes: [UInt8] = [kind.rawValue]
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt32(clamping: rowsBefore).bigEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: id.uuid) { bytes.append(contentsOf: $0) }
        return Base64URL.text(of: bytes)
    }

    /// Reads exactly what `text` writes for this kind.
    package init(text: String, kind: Kind) throws(InvalidCursor) {
        guard let bytes = Base64URL.bytes(of: text), bytes.count == 29, bytes[0] == kind.rawValue else {
            throw InvalidCursor()
        }
        let (value, rowsBefore, id) = bytes.withUnsafeBytes { raw in
            (
                Int64(bigEndian: raw.loadUnaligned(fromByteOffset: 1, as: Int64.self)),
                UInt32(bigEndian: raw.loadUnaligned(fromByteOffset: 9, as: UInt32.self)),
                UUID(uuid: raw.loadUnaligned(fromByteOffset: 13, as: uuid_t.self))
            )
        }
        // Dates that the database could not hold; a sum of money may be anything.
        guard kind == .orderAmount || kind == .refundAmount || Self.microsecondsOfDates.contains(value) else {
            throw InvalidCursor()
        }
        self.init(kind: kind, value: value, id: id, rowsBefore: Int(rowsBefore))
    }

    /// The years 1970 to 9999.
    private static let microsecondsOfDates: ClosedRange<Int64> = 0...253_402_300_799_000_000
}
