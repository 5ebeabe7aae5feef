import Foundation
import Storage

/// A file of a report while it is written: under a name that nobody takes for it, until all of it lies on the disk.
struct ReportFile {
    /// Of the finished file.
    let path: String
    private let temporary: String
    private let descriptor: Int32

    /// - Throws: `ReportFailure` that names the directory and the reason.
    init(in directory: String, named name: String, id: UUID) throws {
        path = "\(directory)/\(name)"
        temporary = "\(directory)/.\(name).\(id.uuidString.lowercased()).part"
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw ReportFailure("\(directory) cannot be written", errno) }
    }

    func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { raw in
            var written = 0
            while written < raw.count {
                let count = Foundation.write(descriptor, raw.baseAddress?.advanced(by: written), raw.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw ReportFailure("\(path) cannot be written", errno) }
                written += count
            }
        }
    }

    /// Gives the file its name, in which it replaces one that is there, once all of it is on the disk.
    func finish() throws {
        guard fsync(descriptor) == 0, close(descriptor) == 0, rename(temporary, path) == 0 else {
            throw ReportFailure("\(path) cannot be finished", errno)
        }
        let directory = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { return }
        fsync(directory)
        close(directory)
    }

    /// Takes away what was written so far.
    func abandon() {
        close(descriptor)
        unlink(temporary)
    }

    /// Takes away what workers that were ended in the middle have left of a file.
    static func clear(in directory: String, named name: String) {
        let manager = FileManager.default
        for file in (try? manager.contentsOfDirectory(atPath: directory)) ?? []
        where file.hasPrefix(".\(name).") && file.hasSuffix(".part") {
            try? manager.removeItem(atPath: "\(directory)/\(file)")
        }
    }
}

/// The reason that a report could not be written, in words for the administrator.
package struct ReportFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ what: String, _ code: Int32) {
        description = "\(what): \(String(cString: strerror(code)))"
    }
}
