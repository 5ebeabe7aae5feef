import Crypto
import CryptoExtras
import Foundation
package import SwiftASN1
import X509

/// Signs receipts as Apple does: PKCS#7 with RSA, the three certificates and no signed attributes.
package struct ReceiptSigner: Sendable {
    package var authority: ReceiptAuthority
    package var digest: DigestAlgorithm
    /// The content's type; anything but plain data is not a receipt.
    package var contentType: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 7, 1]
    /// The certificates that are sent along, in DER.
    package var certificates: [[UInt8]]

    package init(authority: ReceiptAuthority, digest: DigestAlgorithm = .sha256) {
        self.authority = authority
        self.digest = digest
        certificates = [authority.leaf, authority.intermediate, authority.root]
    }

    /// The hash of the content that is signed: SHA-1 until 2023, and SHA-256 since then.
    package enum DigestAlgorithm: Sendable, CaseIterable {
        case sha1
        case sha256

        fileprivate var identifier: ASN1ObjectIdentifier {
            switch self {
            case .sha1: [1, 3, 14, 3, 2, 26]
            case .sha256: [2, 16, 840, 1, 101, 3, 4, 2, 1]
            }
        }
    }

    /// Returns the signed receipt in base64, as an app sends it.
    package func sign(_ receipt: SimulatedReceipt) throws -> String {
        Data(try message(over: receipt.payload)).base64EncodedString()
    }

    /// Returns a PKCS#7 message in DER over any content.
    package func message(over content: [UInt8]) throws -> [UInt8] {
        let signer = try Certificate(derEncoded: authority.leaf)
        let signature = try signature(over: content)
        var serializer = DER.Serializer()
        try serializer.appendConstructedNode(identifier: .sequence) { message in
            try message.serialize(Self.signedData)
            try message.appendConstructedNode(identifier: Self.tagged) { message in
                try message.appendConstructedNode(identifier: .sequence) { signed in
                    try signed.serialize(1)
                    try signed.appendConstructedNode(identifier: .set) { try algorithm(digest.identifier, into: &$0) }
                    try signed.appendConstructedNode(identifier: .sequence) { data in
                        try data.serialize(contentType)
                        data.appendConstructedNode(identifier: Self.tagged) {
                            $0.serializeRawBytes(DERValue.value(.octetString, content))
                        }
                    }
                    signed.appendConstructedNode(identifier: Self.tagged) { list in
                        for certificate in certificates { list.serializeRawBytes(certificate) }
                    }
                    try signed.appendConstructedNode(identifier: .set) { signers in
                        try signers.appendConstructedNode(identifier: .sequence) { info in
                            try info.serialize(1)
                            try info.appendConstructedNode(identifier: .sequence) { name in
                                try name.serialize(signer.issuer)
                                try name.serialize(signer.serialNumber.bytes)
                            }
                            try algorithm(digest.identifier, into: &info)
                            try algorithm([1, 2, 840, 113_549, 1, 1, 1], into: &info)
                            info.serializeRawBytes(DERValue.value(.octetString, signature))
                        }
                    }
                }
            }
        }
        return serializer.serializedBytes
    }

    private func signature(over content: [UInt8]) throws -> [UInt8] {
        let signature =
            switch digest {
            case .sha1:
                try authority.key.signature(for: Insecure.SHA1.hash(data: content), padding: .insecurePKCS1v1_5)
            case .sha256: try authority.key.signature(for: SHA256.hash(data: content), padding: .insecurePKCS1v1_5)
            }
        return Array(signature.rawRepresentation)
    }

    private func algorithm(_ identifier: ASN1ObjectIdentifier, into serializer: inout DER.Serializer) throws {
        try serializer.appendConstructedNode(identifier: .sequence) { algorithm in
            try algorithm.serialize(identifier)
            algorithm.serializeRawBytes([0x05, 0x00])
        }
    }

    private static let signedData: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 7, 2]
    private static let tagged = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
}
