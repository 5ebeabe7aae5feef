import Crypto
import Foundation
import SwiftASN1
import X509

extension TestAuthority {
    /// Returns the authority kept in a directory; made and written there on first use.
    ///
    /// `root.der` is what the receiving app is configured with; `leaf.key.pem` signs and is readable by its owner only.
    package static func kept(in directory: String) throws(SimulatorError) -> TestAuthority {
        let folder = URL(filePath: directory, directoryHint: .isDirectory)
        do {
            if FileManager.default.fileExists(atPath: folder.appending(path: keyFile).path) {
                return try TestAuthority(from: folder)
            }
            let authority = try TestAuthority()
            try authority.write(to: folder)
            return authority
        } catch {
            throw SimulatorError(
                .unusableAuthority,
                "The test authority in \(directory) cannot be used.",
                underlying: error
            )
        }
    }

    private init(from folder: URL) throws {
        self.init(
            root: Array(try Data(contentsOf: folder.appending(path: "root.der"))),
            intermediate: Array(try Data(contentsOf: folder.appending(path: "intermediate.der"))),
            leaf: Array(try Data(contentsOf: folder.appending(path: "leaf.der"))),
            key: try P256.Signing.PrivateKey(
                pemRepresentation: String(contentsOf: folder.appending(path: Self.keyFile), encoding: .utf8)
            )
        )
        for certificate in [root, intermediate, leaf] { _ = try Certificate(derEncoded: certificate) }
    }

    /// Writes the key last: an authority whose writing was interrupted is made anew.
    private func write(to folder: URL) throws {
        let files = FileManager.default
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, certificate) in [("root", root), ("intermediate", intermediate), ("leaf", leaf)] {
            try Data(certificate).write(to: folder.appending(path: "\(name).der"))
            let pem = PEMDocument(type: "CERTIFICATE", derBytes: certificate).pemString + "\n"
            try Data(pem.utf8).write(to: folder.appending(path: "\(name).pem"))
        }
        let key = folder.appending(path: Self.keyFile)
        let unfinished = folder.appending(path: "\(Self.keyFile).new")
        _ = files.createFile(
            atPath: unfinished.path,
            contents: Data((self.key.pemRepresentation + "\n").utf8),
            attributes: [.posixPermissions: 0o600]
        )
        try files.moveItem(at: unfinished, to: key)
    }

    private static let keyFile = "leaf.key.pem"
}
