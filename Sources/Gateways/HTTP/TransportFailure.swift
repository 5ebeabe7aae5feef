/// The reason that no answer came over the network.
package struct TransportFailure: Error, Hashable, CustomStringConvertible {
    package let reason: Reason
    /// The network library's own message, without the content of the request.
    package let detail: String

    init(_ reason: Reason, _ detail: String = "") {
        self.reason = reason
        self.detail = detail
    }

    package var description: String { detail.isEmpty ? reason.rawValue : "\(reason.rawValue): \(detail)" }

    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The store has the question, and no whole answer came in time.
        case timedOut
        /// There was no connection in time, or no place among the questions under way; nothing was sent.
        case connectTimedOut
        /// No resolver knows the host.
        case unresolved
        /// Nobody listens there, or no way leads there.
        case refused
        /// The two sides did not come to terms over TLS, or the certificate is not trusted; nothing was sent.
        case tls
        /// The connection ended before the answer was whole.
        case cut
        /// The answer is no HTTP.
        case notHTTP
        /// More bytes came than the question allows.
        case tooLong
        /// The headers alone are longer than any answer's may be.
        case headersTooLong
        /// The caller does not wait any more.
        case cancelled
        /// The address, the method or a header cannot be sent.
        case invalidRequest
        /// The system has no memory, thread or descriptor left.
        case exhausted
    }
}

extension GatewayError {
    /// True where the store took the request and was then silent for too long: it may have done what it was asked for.
    package var isLate: Bool {
        code == .unreachable && (underlying as? TransportFailure)?.reason == .timedOut
    }
}
