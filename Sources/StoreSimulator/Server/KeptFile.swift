import Crypto
import CryptoExtras
import Foundation

/// The files that a simulated store keeps in a directory: made on first use, readable by their owner only.
enum KeptFile {
    /// The text of a file without the line's end; made and written where there is none. It gets its name once it is whole.
    static func text(_ name: String, in folder: URL, make: () throws -> String) throws -> String {
        let file = folder.appending(path: name)
        if !FileManager.default.fileExists(atPath: file.path) { try write(try make(), as: name, in: folder) }
        return try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    static func key(_ name: String, in folder: URL) throws -> _RSA.Signing.PrivateKey {
        let pem = try text(name, in: folder) {
            try _RSA.Signing.PrivateKey(keySize: .bits2048).pkcs8PEMRepresentation
        }
        return try _RSA.Signing.PrivateKey(pemRepresentation: pem)
    }

    /// Writes a file in the place of the one that is there.
    static func write(_ text: String, as name: String, in folder: URL) throws {
        let (files, file) = (FileManager.default, folder.appending(path: name))
        let unfinished = folder.appending(path: "\(name).new")
        let isWritten = files.createFile(
            atPath: unfinished.path,
            contents: Data((text + "\n").utf8),
            attributes: [.posixPermissions: 0o600]
        )
        guard isWritten else { throw CocoaError(.fileWriteUnknown) }
        if files.fileExists(atPath: file.path) { try files.removeItem(at: file) }
        try files.moveItem(at: unfinished, to: file)
    }

    /// Thirty-two hexadecimal digits.
    static func newSecret() -> String {
        SymmetricKey(size: .bits128).withUnsafeBytes { bytes in
            bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
    }
}
