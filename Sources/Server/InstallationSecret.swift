import Billing
import Foundation
import Operations
import Storage

/// The secret that only this installation knows: `PERENNIAL_SECRET`, else a file in the state directory that is made once.
///
/// It opens what the database holds sealed, so one that is lost or torn is never replaced silently.
enum InstallationSecret {
    /// The secret of a server. The first one of a database makes it, and the database remembers its fingerprint.
    ///
    /// - Throws: `ConfigurationProblem` when the secret here is torn, or missing or another than the database's.
    static func forServer(_ configuration: ServerConfiguration, of database: Database) async throws -> [UInt8] {
        let kept = try kept(configuration)
        guard let known = try await database.secretFingerprint() else {
            return try await first(kept, configuration, of: database)
        }
        guard let kept else { throw missing(configuration) }
        guard FieldCipher.fingerprint(of: kept) == known else { throw another(configuration) }
        return kept
    }

    /// Returns the secret of a database that remembers no fingerprint yet: a new database, or one from before there were
    /// fingerprints, where the newest sealed value proves the secret.
    private static func first(
        _ kept: [UInt8]?,
        _ configuration: ServerConfiguration,
        of database: Database
    ) async throws -> [UInt8] {
        if let (owner, sealed) = try await database.newestSealedSecret() {
            guard let kept else { throw missing(configuration) }
            guard FieldCipher(secret: kept).opens(sealed, for: owner.uuid) else { throw another(configuration) }
        } else if let kept, configuration.secret == nil, kept.count != madeSize {
            throw ConfigurationProblem(
                "\(file(configuration)) is torn (\(kept.count) bytes of \(madeSize)), and nothing is sealed with it: remove it, and "
                    + "the next start makes another; a secret of your own goes to PERENNIAL_SECRET"
            )
        }
        let secret = try kept ?? make(configuration)
        let mine = FieldCipher.fingerprint(of: secret)
        guard try await database.rememberSecretFingerprint(mine) == mine else { throw another(configuration) }
        return secret
    }

    /// The secret for a command, most of which need none: nil where it is not here, or not the database's.
    static func forCommand(_ configuration: ServerConfiguration, of database: Database) async throws -> [UInt8]? {
        guard let kept = try kept(configuration) else { return nil }
        return try await database.secretFingerprint() == FieldCipher.fingerprint(of: kept) ? kept : nil
    }

    /// Returns the doctor's finding on the secret.
    static func finding(_ configuration: ServerConfiguration, of database: Database) async throws -> Finding {
        guard let known = try await database.secretFingerprint() else {
            return .well("no server has made a secret yet")
        }
        guard let kept = try kept(configuration) else {
            return .ill("\(file(configuration)) is missing", mend: mend)
        }
        guard FieldCipher.fingerprint(of: kept) == known else {
            return .ill("\(source(configuration)) is not the secret of this database", mend: mend)
        }
        return .well("\(source(configuration)) is the secret of this database")
    }

    /// True when the state directory is that of an installation.
    static func isKept(in configuration: ServerConfiguration) -> Bool {
        FileManager.default.fileExists(atPath: file(configuration))
    }

    static func kept(_ configuration: ServerConfiguration) throws -> [UInt8]? {
        if let secret = configuration.secret { return Array(secret.utf8) }
        let file = file(configuration)
        guard FileManager.default.fileExists(atPath: file) else { return nil }
        guard let data = FileManager.default.contents(atPath: file) else {
            throw ConfigurationProblem("\(file) cannot be read: run as the user whom it belongs to")
        }
        guard data.count >= 32 else {
            throw ConfigurationProblem("\(file) is torn (\(data.count) bytes are left of it): \(mend)")
        }
        return Array(data)
    }

    /// Makes the file whole or not at all. The second process takes the secret of the first.
    private static func make(_ configuration: ServerConfiguration) throws -> [UInt8] {
        let file = file(configuration)
        try FileManager.default.createDirectory(at: configuration.stateDirectory, withIntermediateDirectories: true)
        let made = Array(SecretToken.random().description.utf8)
        let unfinished = "\(file).\(UUID().uuidString.prefix(8))"
        let descriptor = open(unfinished, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unwritable(file) }
        let isWritten = write(descriptor, made, made.count) == made.count && fsync(descriptor) == 0
        close(descriptor)
        defer { unlink(unfinished) }
        guard isWritten, link(unfinished, file) == 0 || errno == EEXIST, isNamed(in: configuration.stateDirectory.path),
            let kept = try kept(configuration)
        else { throw unwritable(file) }
        return kept
    }

    /// After a power failure a file may be there under no name, and the database would know a secret that is lost.
    private static func isNamed(in directory: String) -> Bool {
        let descriptor = open(directory, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }

    private static func missing(_ configuration: ServerConfiguration) -> ConfigurationProblem {
        ConfigurationProblem(
            "\(file(configuration)) is missing, and the database holds what was sealed with it: \(mend)"
        )
    }

    static func another(_ configuration: ServerConfiguration) -> ConfigurationProblem {
        ConfigurationProblem("\(source(configuration)) is not the secret of this database: \(mend)")
    }

    private static func unwritable(_ file: String) -> ConfigurationProblem {
        ConfigurationProblem("\(file) cannot be written; set PERENNIAL_STATE to a directory that you may write to")
    }

    static func file(_ configuration: ServerConfiguration) -> String {
        configuration.stateDirectory.appending(path: "secret").path
    }

    private static func source(_ configuration: ServerConfiguration) -> String {
        configuration.secret == nil ? file(configuration) : "PERENNIAL_SECRET"
    }

    /// The size in bytes of a file that was made here.
    private static let madeSize = 2 * SecretToken.byteCount

    private static let mend =
        "restore the previous secret (from a backup, or from another server of this database); if it is lost, "
        + "`perennial secret forget` removes what it sealed"
}
