import Foundation
import Operations
import Storage

/// What only this installation knows: `PERENNIAL_SECRET`, else a file in the state directory that is made once.
///
/// It opens what the database holds sealed, so one that is lost or torn is never replaced silently.
enum InstallationSecret {
    /// The secret of a server. The first one of a database makes it, and the database remembers its fingerprint.
    ///
    /// - Throws: `ConfigurationProblem` when the secret here is torn, or missing or another than the database's.
    static func forServer(_ configuration: ServerConfiguration, of database: Database) async throws -> [UInt8] {
        let kept = try kept(configuration)
        if try await database.secretFingerprint() != nil, kept == nil {
            throw ConfigurationProblem(
                "\(file(configuration)) is missing, and the database holds what was sealed with it: \(mend)"
            )
        }
        let secret = try kept ?? make(configuration)
        let mine = Vault.fingerprint(of: secret)
        guard try await database.rememberSecretFingerprint(mine) == mine else {
            throw ConfigurationProblem("\(source(configuration)) is not the secret of this database: \(mend)")
        }
        return secret
    }

    /// The secret for a command, most of which need none: nil where it is not here, or not the database's.
    static func forCommand(_ configuration: ServerConfiguration, of database: Database) async throws -> [UInt8]? {
        guard let kept = try kept(configuration) else { return nil }
        return try await database.secretFingerprint() == Vault.fingerprint(of: kept) ? kept : nil
    }

    /// What the doctor says of it.
    static func finding(_ configuration: ServerConfiguration, of database: Database) async throws -> Finding {
        guard let known = try await database.secretFingerprint() else {
            return .well("no server has made a secret yet")
        }
        guard let kept = try kept(configuration) else {
            return .ill("\(file(configuration)) is missing", mend: mend)
        }
        guard Vault.fingerprint(of: kept) == known else {
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

    /// Makes the file whole or not at all. Whoever comes second takes the first one's.
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
        guard isWritten, link(unfinished, file) == 0 || errno == EEXIST, let kept = try kept(configuration) else {
            throw unwritable(file)
        }
        return kept
    }

    private static func unwritable(_ file: String) -> ConfigurationProblem {
        ConfigurationProblem("\(file) cannot be written; set PERENNIAL_STATE to a directory of yours")
    }

    static func file(_ configuration: ServerConfiguration) -> String {
        configuration.stateDirectory.appending(path: "secret").path
    }

    private static func source(_ configuration: ServerConfiguration) -> String {
        configuration.secret == nil ? file(configuration) : "PERENNIAL_SECRET"
    }

    private static let mend =
        "put back the one of before (from a backup, or from another server of this database); if it is lost, "
        + "`perennial secret forget` removes what it sealed"
}
