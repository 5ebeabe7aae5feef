/// A fault of the next requests to the simulated store.
package struct SimulatedFault: Hashable, Sendable {
    package var kind: Kind
    /// Only of paths that contain this; nil for all.
    package var path: String?
    /// The number of requests that it befalls.
    package var times: Int

    package init(_ kind: Kind, onPath path: String? = nil, times: Int = 1) {
        self.kind = kind
        self.path = path
        self.times = times
    }

    package enum Kind: Hashable, Sendable {
        /// 429, with the moment of `Retry-After` that far ahead; nil for no such header.
        case tooManyRequests(retryAfter: Duration? = nil)
        /// That status, with a page instead of JSON.
        case status(Int)
        /// Apple's own error; the status follows from it.
        case error(code: Int64)
        /// Nothing is done, and nothing answered.
        case silence
        /// The request is carried out, and not answered.
        case silenceAfterEffect
        /// The request is carried out, and the connection closed.
        case hangUpAfterEffect
        /// The request is carried out, and half of the answer sent.
        case cutAfterEffect
        /// Done and answered that much later.
        case late(Duration)
        /// 200 with something that is not JSON.
        case malformed
        /// The request is carried out, and the answer spoiled on its way.
        case field(FieldAnswer)
    }
}
