import Billing
import Foundation
import Storage

/// Makes the codes of batches out of the installation's secret: the same ones whenever they are asked for, so that none is kept.
struct PromoCodeMaker: Sendable {
    let cipher: FieldCipher

    /// - Parameter number: in its batch, from 1.
    func code(_ number: Int, of batch: PromoBatch.ID) -> PromoCode {
        let place = Array("\(batch) \(number)".utf8)
        let bytes = cipher.code(of: place, for: "promo codes 1")
        return PromoCode(bits: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// What the database keeps of a code.
    func hash(of code: PromoCode, in app: App.ID) -> [UInt8] { hash(ofText: code.text, in: app) }

    /// What it would keep of whatever was typed: what is no code is looked up like one, and takes as long.
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
