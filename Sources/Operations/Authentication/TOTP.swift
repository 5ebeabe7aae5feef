import Billing
import Crypto
package import Foundation

/// Time-based one-time passwords (RFC 6238): SHA-1, a step of 30 seconds, six digits, as every authenticator app has them.
package struct TOTP: Sendable {
    package static let period: TimeInterval = 30
    package static let digits = 6
    package static let secretLength = 20
    /// The number of steps that a clock may be off, in each direction.
    private static let tolerance: Int64 = 1

    package let secret: [UInt8]

    package init(secret: [UInt8]) {
        self.secret = secret
    }

    package static func step(at moment: Date) -> Int64 {
        Int64(bounding: (moment.timeIntervalSince1970 / period).rounded(.down))
    }

    /// The code of a step (RFC 4226 5.3).
    package func code(at step: Int64, digits: Int = TOTP.digits) -> String {
        let counter = withUnsafeBytes(of: step.bigEndian) { Data($0) }
        let code = Array(
            HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: SymmetricKey(data: secret))
        )
        let offset = Int(code[code.count - 1] & 15)
        // safe: 20 bytes, and at most 15
        let number = code[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let text = String(number)
        return String((String(repeating: "0", count: digits) + text).suffix(digits))
    }

    /// The step that a code is of, when it is good at this moment; one that was taken before, or is older, is not.
    ///
    /// - Parameter lastStep: the step of the last code that was taken.
    package func step(of typed: String, at moment: Date, after lastStep: Int64) -> Int64? {
        let digits = typed.filter { !$0.isWhitespace }
        guard digits.utf8.count == Self.digits else { return nil }
        let now = Self.step(at: moment)
        // Each is compared, and in full, so that the time tells nothing.
        return (now - Self.tolerance...now + Self.tolerance).reduce(nil as Int64?) { found, step in
            let isEqual = SecretComparison.areEqual(Array(code(at: step).utf8), Array(digits.utf8))
            return isEqual && step > lastStep ? step : found
        }
    }

    /// The address in the QR code for an authenticator app.
    package func address(for account: String) -> String {
        let name = account.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return "otpauth://totp/Perennial:\(name)?secret=\(secretText)&issuer=Perennial"
            + "&algorithm=SHA1&digits=\(Self.digits)&period=\(Int(Self.period))"
    }

    /// The secret as people type it, in base32.
    package var secretText: String { Base32.text(of: secret) }
}

/// RFC 4648 section 6, without padding.
enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var (buffer, bits) = (UInt32(0), 0)
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)  // safe: wider
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[Int(buffer >> UInt32(bits) & 31)])  // safe: below 8; 32 letters
            }
            buffer &= 0xFF
        }
        if bits > 0 { text.append(alphabet[Int(buffer << UInt32(5 - bits) & 31)]) }  // safe: below 5; 32 letters
        return String(decoding: text, as: UTF8.self)
    }
}
