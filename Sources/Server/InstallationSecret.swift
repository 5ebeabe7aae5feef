import Foundation
import Operations

/// What only this installation knows: `PERENNIAL_SECRET`, else a file in the state directory that is made once.
enum InstallationSecret {
    static func bytes(_ configuration: ServerConfiguration) throws -> [UInt8] {
        if let secret = configuration.secret { return Array(secret.utf8) }
        let file = configuration.stateDirectory.appending(path: "secret").path
        if let kept = kept(in: file) { return kept }
        try FileManager.default.createDirectory(at: configuration.stateDirectory, withIntermediateDirectories: true)
        let made = Array(SecretToken.random().description.utf8)
        // Whoever comes second finds the first one's file and takes that.
        let descriptor = open(file, O_CREAT | O_EXCL | O_WRONLY, 0o600)
        if descriptor >= 0 {
            let isWritten = write(descriptor, made, made.count) == made.count && fsync(descriptor) == 0
            close(descriptor)
            if isWritten { return made }
            unlink(file)
        } else if let kept = kept(in: file) {
            return kept
        }
        throw ConfigurationProblem("\(file) cannot be written; set PERENNIAL_STATE to a directory of yours")
    }

    private static func kept(in file: String) -> [UInt8]? {
        guard let data = FileManager.default.contents(atPath: file), data.count >= 32 else { return nil }
        return Array(data)
    }
}
