import Billing
import Crypto

/// A key in the form that App Store Connect issues, new in each run.
enum TestServerKey {
    static let key = P256.Signing.PrivateKey()
    static let pem = key.pemRepresentation
}
