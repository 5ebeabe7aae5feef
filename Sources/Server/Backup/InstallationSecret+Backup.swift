import Foundation
import Operations
import Storage

extension InstallationSecret {
    /// The secret as a backup keeps it.
    ///
    /// - Throws: `ConfigurationProblem` when there is none here, or it is not that of the database that is copied.
    static func toCopy(_ configuration: ServerConfiguration, of facts: DatabaseFacts) throws -> [UInt8] {
        guard let kept = try kept(configuration) else {
            throw ConfigurationProblem(
                "there is no secret in \(configuration.stateDirectory.path) to copy: set PERENNIAL_STATE or PERENNIAL_SECRET as the "
                    + "server has it, or leave out --with-secret"
            )
        }
        guard isFitting(kept, facts.secretFingerprint) else { throw another(configuration) }
        return kept
    }

    /// Returns true if a secret has the fingerprint, or where none is known: then nothing is sealed.
    private static func isFitting(_ secret: [UInt8], _ fingerprint: String?) -> Bool {
        guard let fingerprint else { return true }
        return FieldCipher.fingerprint(of: secret).map { String(format: "%02x", $0) }.joined() == fingerprint
    }

    /// The decision of a restore about the secret.
    enum Restoration {
        /// The database that was copied had none.
        case notNeeded
        /// The backup's is here already.
        case isHere
        case anotherIsHere
        case isMissing
        /// Comes from the backup to where the next start finds it.
        case copies([UInt8])
    }

    /// Decides what a restore will do about the secret, before it fills a database.
    ///
    /// - Throws: `ConfigurationProblem` when the copy in the backup, or the secret here, is none.
    static func restoration(
        from folder: BackupFolder,
        _ facts: DatabaseFacts,
        _ configuration: ServerConfiguration
    ) throws -> Restoration {
        let copy = FileManager.default.contents(atPath: folder.secret).map { Array($0) }
        let isUnreadable = copy == nil && FileManager.default.fileExists(atPath: folder.secret)
        guard !isUnreadable, copy.map({ isFitting($0, facts.secretFingerprint) }) ?? true else {
            throw ConfigurationProblem(
                "\(folder.secret) is not the secret of this backup, or cannot be read: put the right one there, or move the file "
                    + "away and set PERENNIAL_SECRET. Nothing was changed"
            )
        }
        guard facts.secretFingerprint != nil else { return .notNeeded }
        if let here = try kept(configuration) {
            return isFitting(here, facts.secretFingerprint) ? .isHere : .anotherIsHere
        }
        return copy.map(Restoration.copies) ?? .isMissing
    }

    /// Does it, and returns what to know before the next start.
    static func apply(_ restoration: Restoration, _ configuration: ServerConfiguration) -> String? {
        switch restoration {
        case .notNeeded: nil
        case .isHere: "The secret here is the one of the backup."
        case .anotherIsHere:
            "The secret here is not the one of the backup: put that one here before the next start "
                + "(PERENNIAL_SECRET, or \(file(configuration)))."
        case .isMissing:
            "The backup has no secret: put it back before the next start (PERENNIAL_SECRET, or \(file(configuration)))."
        case .copies(let secret):
            put(secret, configuration)
                ? "The secret is restored, too."
                : "The secret could not be written to \(file(configuration)): copy it there from the backup before the next start."
        }
    }

    private static func put(_ secret: [UInt8], _ configuration: ServerConfiguration) -> Bool {
        try? FileManager.default.createDirectory(at: configuration.stateDirectory, withIntermediateDirectories: true)
        return FileManager.default.createFile(
            atPath: file(configuration),
            contents: Data(secret),
            attributes: [.posixPermissions: 0o600]
        )
    }
}
