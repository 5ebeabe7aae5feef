import CLibPQ
import Foundation

extension PGConnection {
    enum CopyProgress {
        case row
        case wouldBlock
        case ended
        case lost
    }

    /// Appends the next row of a COPY out, if one is there.
    func copyRow(into bytes: inout [UInt8]) -> CopyProgress {
        var buffer: UnsafeMutablePointer<CChar>?
        let count = PQgetCopyData(raw, &buffer, 1)
        defer { PQfreemem(buffer) }
        switch count {
        case 0: return .wouldBlock
        case -1: return .ended
        case let length where length > 0:
            bytes.append(contentsOf: UnsafeRawBufferPointer(start: buffer, count: Int(length)))
            return .row
        default: return .lost
        }
    }

    /// True when taken, false when the socket must become writable first, nil when the connection is lost.
    func putCopy(_ bytes: [UInt8]) -> Bool? {
        let outcome = bytes.withUnsafeBytes {
            // safe: a piece of a file, of some kilobytes
            PQputCopyData(raw, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
        }
        return outcome < 0 ? nil : outcome == 1
    }

    /// Ends a COPY in; with a reason the server throws the rows away and reports it.
    func endCopy(failing reason: String?) -> Bool? {
        let outcome = PQputCopyEnd(raw, reason)
        return outcome < 0 ? nil : outcome == 1
    }
}
