/// A fault in an answer of the simulated Alipay.
package enum SimulatedAlipayMood: Hashable, Sendable {
    /// A refusal, as `error_response`.
    case refusal(code: String, subCode: String, signed: Bool)
    /// A correct answer, with `sign` before the response.
    case signFirst
    /// The response is changed after it was signed.
    case tampered
    /// The response is signed with another key than Alipay's.
    case otherKey
    case unsigned
    /// The response comes twice: first the signed one, then another.
    case twice
    /// The answer is in another charset than was asked for.
    case gbk
}
