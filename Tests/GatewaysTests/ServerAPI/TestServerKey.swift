import Billing
import Crypto

/// A key of the shape that App Store Connect gives out, new with each run.
enum TestServerKey {
    static let key = P256.Signing.PrivateKey()
    static let pem = key.pemRepresentation
}
