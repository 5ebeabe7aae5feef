import Foundation
import Operations
import Storage

extension InstallationSecret {
    /// The secret as a backup keeps it.
    ///
    /// - Throws: `ConfigurationProblem` when there is none here.
    static func toCopy(_ configuration: ServerConfiguration) throws -> [UInt8] {
        guard let kept = try kept(configuration) else {
            throw ConfigurationProblem("there is no secret in \(configuration.stateDirectory.path) to copy")
        }
        return kept
    }

    /// Puts a secret that the backup has where the next start finds it, and says what is to be done when it has none.
    static func restore(
        from folder: BackupFolder,
        _ manifest: BackupManifest,
        _ configuration: ServerConfiguration
    ) throws -> [String] {
        guard let known = manifest.facts.secretFingerprint else { return [] }
        if let here = try kept(configuration) {
            guard Vault.fingerprint(of: here).map({ String(format: "%02x", $0) }).joined() == known else {
                return ["The secret here is not the one of the backup: put that back before the next start."]
            }
            return ["The secret here is the one of the backup."]
        }
        guard let copy = FileManager.default.contents(atPath: folder.secret) else {
            return [
                "The backup has no secret: put it back before the next start (PERENNIAL_SECRET, or `secret` in the state directory)."
            ]
        }
        try FileManager.default.createDirectory(at: configuration.stateDirectory, withIntermediateDirectories: true)
        try folder.write(copy, to: file(configuration))
        return ["The secret is restored, too."]
    }
}
