import Billing
import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
import X509

/// A certificate with an RSA key as Alipay issues it: to itself, and to apps in certificate mode.
struct AlipayCertificate: Sendable {
    let key: _RSA.Signing.PublicKey
    /// Alipay's name of it (`app_cert_sn`, `alipay_cert_sn`): 32 hex digits.
    let serial: String
    let validity: ClosedRange<Date>
    let certificate: Certificate

    /// - Throws: `.malformed` for what is no certificate, or one of another kind of key (SM2).
    init(_ der: [UInt8]) throws(GatewayError) {
        do {
            certificate = try Certificate(derEncoded: der)
        } catch {
            throw GatewayError(.malformed, "It is no X.509 certificate that can be read.", underlying: error)
        }
        guard let key = _RSA.Signing.PublicKey(certificate.publicKey) else {
            throw GatewayError(.malformed, "The certificate's key is not an RSA key.")
        }
        self.key = key
        serial = Self.serial(of: certificate)
        let start = certificate.notValidBefore
        validity = start...max(start, certificate.notValidAfter)
    }

    func shown(as name: String) -> StoreCertificate {
        StoreCertificate(name, serial: serial, endsAt: validity.upperBound)
    }

    /// The signer by the names that both certificates say, and by the signature.
    func isIssued(by issuer: AlipayCertificate) -> Bool {
        certificate.issuer == issuer.certificate.subject
            && issuer.certificate.publicKey.isValidSignature(certificate.signature, for: certificate)
    }

    /// The names of all RSA certificates among Alipay's roots (`alipay_root_cert_sn`), those with SM2 keys left out.
    ///
    /// - Returns: nil where there is none, or one that cannot be read.
    static func serial(ofRoots ders: [[UInt8]]) -> String? {
        var serials: [String] = []
        for der in ders {
            guard let isRSA = isSignedWithRSA(der) else { return nil }
            guard isRSA else { continue }
            guard let certificate = try? Certificate(derEncoded: der) else { return nil }
            serials.append(serial(of: certificate))
        }
        return serials.isEmpty ? nil : serials.joined(separator: "_")
    }

    /// MD5 over the issuer's name, its last part first, and the decimal serial number (payments.md, 1C).
    private static func serial(of certificate: Certificate) -> String {
        let text = "\(certificate.issuer)" + decimal(certificate.serialNumber.bytes)
        return Insecure.MD5.hash(data: Data(text.utf8))
            .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// A number of any length, the highest byte first.
    static func decimal(_ bytes: some Sequence<UInt8>) -> String {
        // The lowest digit first.
        var digits: [UInt32] = [0]
        for byte in bytes {
            var carry = UInt32(byte)  // safe: wider
            for index in digits.indices {
                let value = digits[index] << 8 + carry
                (digits[index], carry) = (value % 10, value / 10)
            }
            while carry > 0 {
                digits.append(carry % 10)
                carry /= 10
            }
        }
        return digits.reversed().map(String.init).joined()
    }

    /// By the algorithm of the signature alone, as SM2's keys cannot be read here.
    ///
    /// - Returns: nil for what is no certificate.
    private static func isSignedWithRSA(_ der: [UInt8]) -> Bool? {
        guard let root = try? DER.parse(der), case .constructed(let parts) = root.content else { return nil }
        let nodes = Array(parts)
        guard nodes.count == 3, case .constructed(let algorithm) = nodes[1].content,  // safe: there are three
            let first = algorithm.first(where: { _ in true }),
            let identifier = try? ASN1ObjectIdentifier(derEncoded: first)
        else { return nil }
        return "\(identifier)".hasPrefix("1.2.840.113549.1.1.")
    }
}
