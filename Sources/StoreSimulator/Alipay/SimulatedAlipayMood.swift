/// What is to be wrong about an answer of the simulated Alipay.
package enum SimulatedAlipayMood: Hashable, Sendable {
    /// A refusal, as `error_response`.
    case refusal(code: String, subCode: String, signed: Bool)
    /// Right, with `sign` before the response.
    case signFirst
    /// The response is changed after it was signed.
    case tampered
    /// Signed with another key than Alipay's.
    case otherKey
    case unsigned
    /// The response twice: first as it is signed, then another.
    case twice
    /// In another charset than it was asked for.
    case gbk
}
