import Billing
import Foundation
import Storage

/// Derives the codes of batches from the installation's secret: always the same ones, so that none is stored.
struct PromoCodeMaker: Sendable {
    let cipher: FieldCipher

    /// - Parameter number: the code's number in its batch, from 1.
    func code(_ number: Int, of batch: PromoBatch.ID) -> PromoCode {
        let place = Array("\(batch) \(number)".utf8)
        let bytes = cipher.code(of: place, for: "promo codes 1")
        return PromoCode(bits: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// The stored hash of a code.
    func hash(of code: PromoCode, in app: App.ID) -> [UInt8] { hash(ofText: code.text, in: app) }

    /// The hash of a typed text: an invalid code is looked up like a valid one, and takes as long.
    func hash(ofTyped typed: String, in app: App.ID) -> [UInt8] {
        hash(ofText: PromoCode(typed)?.text ?? "? \(typed)", in: app)
    }

    private func hash(ofText text: String, in app: App.ID) -> [UInt8] {
        cipher.code(of: Array("\(app) \(text)".utf8), for: "promo code hashes 1")
    }
}

extension BackOffice {
    /// - Throws: `OperationsError` with `.misconfigured` where the installation has no secret.
    var promoCodeMaker: PromoCodeMaker {
        get throws(OperationsError) {
            guard let cipher else {
                throw OperationsError(.misconfigured, "There is no secret to make codes of. Set PERENNIAL_SECRET.")
            }
            return PromoCodeMaker(cipher: cipher)
        }
    }
}
