/// A fault in an answer of the simulated Alipay.
package enum SimulatedAlipayMood: Hashable, Sendable {
    /// A refusal, as `error_response`.
    case refusal(code: String, subCode: String, signed: Bool)
    /// A refusal of the call itself, signed; nothing is done.
    case answer(code: String, subCode: String)
    /// The request is carried out, and the answer is another.
    case answerAfterEffect(code: String, subCode: String)
    /// A refund that is done, and is said to have changed nothing.
    case fundUnchanged
    /// In certificate mode: signed with a certificate that nobody has here.
    case otherCertificate
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
