import Crypto
package import Foundation

/// Seals what must be read again and must not lie open in the database: AES-GCM with the installation's own key.
package struct FieldCipher: Sendable {
    private let key: SymmetricKey

    /// - Parameter secret: known only to this installation; at least 32 bytes.
    package init(secret: [UInt8]) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret),
            info: Data("perennial vault 1".utf8),
            outputByteCount: 32
        )
    }

    /// Tells one secret from another without giving it away: 32 bytes.
    package static func fingerprint(of secret: [UInt8]) -> [UInt8] {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret),
            info: Data("perennial secret fingerprint 1".utf8),
            outputByteCount: 32
        )
        return key.withUnsafeBytes { Array($0) }
    }

    /// - Parameter owner: whose it is; it opens for them alone, so that sealed values cannot be exchanged.
    func seal(_ bytes: [UInt8], for owner: UUID) throws -> [UInt8] {
        let box = try AES.GCM.seal(Data(bytes), using: key, authenticating: Self.label(owner))
        return Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
    }

    /// - Throws: `OperationsError` with `.misconfigured` when it was sealed with another key.
    func open(_ sealed: [UInt8], for owner: UUID) throws -> [UInt8] {
        do {
            let box = try AES.GCM.SealedBox(combined: Data(sealed))
            return Array(try AES.GCM.open(box, using: key, authenticating: Self.label(owner)))
        } catch {
            throw OperationsError(
                .misconfigured,
                "A secret in the database was sealed with another key. Is PERENNIAL_SECRET the previous secret?",
                underlying: error
            )
        }
    }

    /// 32 bytes that only this installation can derive from `bytes`, always the same ones (HMAC, RFC 2104).
    ///
    /// - Parameter purpose: their purpose; those of another purpose reveal nothing about them.
    func code(of bytes: [UInt8], for purpose: StaticString) -> [UInt8] {
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key,
            info: Data("perennial \(purpose)".utf8),
            outputByteCount: 32
        )
        return Array(HMAC<SHA256>.authenticationCode(for: Data(bytes), using: derived))
    }

    /// True if it was encrypted with this key.
    package func opens(_ sealed: [UInt8], for owner: UUID) -> Bool {
        (try? open(sealed, for: owner)) != nil
    }

    private static func label(_ owner: UUID) -> Data {
        Data(owner.uuidString.lowercased().utf8)
    }
}
