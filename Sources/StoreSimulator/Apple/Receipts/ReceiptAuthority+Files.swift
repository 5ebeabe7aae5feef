import CryptoExtras
import Foundation
import SwiftASN1
import X509

extension ReceiptAuthority {
    /// Returns the authority kept in a directory, beside the one that signs messages; made and written there on first use.
    ///
    /// `receipt-root.der` is what the receiving app is configured with; `receipt-leaf.key.pem` is readable by its owner only.
    package static func kept(in directory: String) throws(SimulatorError) -> ReceiptAuthority {
        let folder = URL(filePath: directory, directoryHint: .isDirectory)
        do {
            if FileManager.default.fileExists(atPath: folder.appending(path: keyFile).path) {
                return try ReceiptAuthority(from: folder)
            }
            let authority = try ReceiptAuthority()
            try authority.write(to: folder)
            return authority
        } catch {
            throw SimulatorError(
                .unusableAuthority,
                "The authority for receipts in \(directory) cannot be used.",
                underlying: error
            )
        }
    }

    private init(from folder: URL) throws {
        func der(_ name: String) throws -> [UInt8] {
            Array(try Data(contentsOf: folder.appending(path: "receipt-\(name).der")))
        }
        self.init(
            root: try der("root"),
            intermediate: try der("intermediate"),
            leaf: try der("leaf"),
            key: try _RSA.Signing.PrivateKey(
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
            try Data(certificate).write(to: folder.appending(path: "receipt-\(name).der"))
            let pem = PEMDocument(type: "CERTIFICATE", derBytes: certificate).pemString + "\n"
            try Data(pem.utf8).write(to: folder.appending(path: "receipt-\(name).pem"))
        }
        let unfinished = folder.appending(path: "\(Self.keyFile).new")
        _ = files.createFile(
            atPath: unfinished.path,
            contents: Data((key.pemRepresentation + "\n").utf8),
            attributes: [.posixPermissions: 0o600]
        )
        try files.moveItem(at: unfinished, to: folder.appending(path: Self.keyFile))
    }

    private static let keyFile = "receipt-leaf.key.pem"
}
