package import Foundation

/// The way in which the simulated WeChat Pay signs.
package enum SimulatedWeChatMode: Hashable, Sendable {
    case certificates
    /// As for merchants since October 2024: there are no certificates.
    case publicKey
    /// During the change from one to the other; notifications are signed by each in turn.
    case both

    var hasCertificates: Bool { self != .publicKey }
    var hasPublicKey: Bool { self != .certificates }
}

/// A fault in an answer or a notification of the simulated WeChat Pay.
package enum SimulatedWeChatMood: Hashable, Sendable {
    /// A signature that is wrong on purpose.
    case probe
    /// Signed that many seconds ago; in the future for less than none.
    case stale(TimeInterval)
    /// Named after a key that nobody knows.
    case unknownSerial
    /// Signed with another key than the one that is named.
    case otherKey
    case unsigned
    /// Changed after it was signed.
    case tampered

    // Of notifications alone.

    /// Never sent, but taken down as sent.
    case dropped
    /// Sent twice.
    case twice
    /// Not sent before that many seconds have gone by.
    case delayed(TimeInterval)
    case wrongAssociatedData
    case truncatedCiphertext
    case otherMerchant
    case otherApp
    /// The amount is another one.
    case otherAmount
}
