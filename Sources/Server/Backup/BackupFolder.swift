import Crypto
import Foundation
import Postgres

/// The files of one backup. They are readable by their owner alone.
struct BackupFolder {
    let path: String
    /// Held while the folder is written: it tells a backup that is being made from one that was cut short.
    private var lock: FileLock?

    init(path: String) {
        self.path = path
    }

    var dump: String { path + "/database.dump" }
    var manifest: String { path + "/manifest.json" }
    var secret: String { path + "/secret" }

    /// A folder to write to, under a name that says that it is not done yet. Removes what other backups in the folder
    /// have left that were cut short.
    ///
    /// - Throws: `ConfigurationProblem` when there is something at `directory` already, or nothing can be made there.
    static func begin(_ directory: String) throws -> Self {
        let target = URL(fileURLWithPath: directory).standardizedFileURL.path
        guard !FileManager.default.fileExists(atPath: target) else {
            throw ConfigurationProblem("\(target) is there already; a backup goes to a directory of its own")
        }
        removeLeftovers(in: (target as NSString).deletingLastPathComponent)
        var folder = Self(path: target + unfinished)
        guard mkdir(folder.path, 0o700) == 0 else {
            guard errno != EEXIST else {
                throw ConfigurationProblem(
                    "\(folder.path) is being written by another backup: wait for its end. If no backup is running, remove it"
                )
            }
            throw ConfigurationProblem(
                "\(folder.path) cannot be made: \(String(cString: strerror(errno))). Name a new directory, in one that exists and "
                    + "that you may write to"
            )
        }
        // pg_dump empties the file and writes to it, which leaves the lock as it is.
        folder.lock = FileLock(making: folder.dump)
        return folder
    }

    /// Gives it its name, after everything in it is on the disk.
    func finish() throws {
        for file in try FileManager.default.contentsOfDirectory(atPath: path) {
            chmod("\(path)/\(file)", 0o600)
            try Self.sync("\(path)/\(file)")
        }
        try Self.sync(path)
        let target = String(path.dropLast(Self.unfinished.count))
        guard rename(path, target) == 0 else {
            throw ConfigurationProblem("\(path) cannot be renamed: \(String(cString: strerror(errno)))")
        }
        try Self.sync((target as NSString).deletingLastPathComponent)
    }

    func abandon() {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Returns the backup's own description, checked against its files.
    ///
    /// - Throws: `ConfigurationProblem` when it is none, is of a later format, or its dump is not the one that was
    ///   written.
    func checkedManifest() throws -> BackupManifest {
        guard let data = FileManager.default.contents(atPath: manifest) else {
            throw ConfigurationProblem("\(path) is no backup: there is no manifest.json that can be read")
        }
        guard let known = try? BackupManifest.decoded(data), known.format == 1 else {
            throw ConfigurationProblem("\(manifest) is of another version of this program, or was changed")
        }
        let (size, hash) = try measuredDump()
        guard size == known.dumpSize, hash == known.dumpSHA256 else {
            throw ConfigurationProblem("\(dump) is not the file that was written (\(size) bytes of \(known.dumpSize))")
        }
        return known
    }

    /// The dump's size in bytes and its SHA-256.
    func measuredDump() throws -> (size: Int, sha256: String) {
        guard let file = FileHandle(forReadingAtPath: dump) else {
            throw ConfigurationProblem("\(dump) cannot be read")
        }
        defer { try? file.close() }
        var (digest, size) = (SHA256(), 0)
        while let data = try file.read(upToCount: 1 << 20), !data.isEmpty {
            try Task.checkCancellation()
            digest.update(data: data)
            size += data.count
        }
        return (size, digest.finalize().map { String(format: "%02x", $0) }.joined())
    }

    /// Writes a file that nobody else may read.
    func write(_ data: Data, to file: String) throws {
        guard FileManager.default.createFile(atPath: file, contents: data, attributes: [.posixPermissions: 0o600])
        else {
            throw ConfigurationProblem("\(file) cannot be written")
        }
    }

    private static let unfinished = ".unfinished"

    /// A program that was killed could not remove what it had written, which is a copy of the database.
    private static func removeLeftovers(in parent: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names where name.hasSuffix(unfinished) {
            let folder = Self(path: "\(parent)/\(name)")
            guard folder.isOurs else { continue }
            // One that was cut short before it had a file.
            rmdir(folder.path)
            guard let lock = FileLock(of: folder.dump) else { continue }
            withExtendedLifetime(lock) { folder.abandon() }
        }
    }

    /// True if it is a directory of this account with nothing in it but the files of a backup.
    private var isOurs: Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_uid == geteuid(),
            UInt32(status.st_mode) & UInt32(S_IFMT) == UInt32(S_IFDIR),
            let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        else { return false }
        return Set(names).isSubset(of: [dump, manifest, secret].map { ($0 as NSString).lastPathComponent })
    }

    private static func sync(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ConfigurationProblem("\(path) cannot be opened") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw ConfigurationProblem("\(path) cannot be written to the disk: \(String(cString: strerror(errno)))")
        }
    }
}
