import Billing
import Foundation
import Gateways
import Operations
import Storage
import StoreSimulator
import Testing

/// A forged proof: of another authority, changed on its way, of another app, of the future, or of nothing.
struct Forgery: Sendable {
    let kind: Kind
    let proof: PurchaseProof
    /// The field that the error names.
    let field: String

    enum Kind: CaseIterable, Sendable {
        case anotherAuthority
        case changedPayload
        case changedSignature
        case exchangedPayload
        case cut
        case anotherApp
        case future
        case unknownID
        case receiptOfAnother
        case nothing
    }

    /// Authorities made once, for keys are slow to make.
    private static let authority = Result { try TestAuthority() }
    private static let receiptAuthority = Result { try ReceiptAuthority() }

    /// - Parameter other: a purchase whose proof is good.
    static func made(
        from purchase: Purchase,
        and other: Purchase,
        using random: inout SeededGenerator
    ) throws -> Forgery {
        let kind = try #require(Kind.allCases.randomElement(using: &random))
        let signed = try purchase.signed()
        func transactions(_ text: String) -> Forgery {
            Forgery(kind: kind, proof: .signedTransactions([text]), field: "signedTransactions.0")
        }
        switch kind {
        case .anotherAuthority: return transactions(try purchase.signed(by: try authority.get()))
        case .changedPayload: return transactions(changed(signed, part: 1, using: &random))
        case .changedSignature: return transactions(changed(signed, part: 2, using: &random))
        case .exchangedPayload:
            var parts = signed.split(separator: ".").map(String.init)
            parts[1] = String(try other.signed().split(separator: ".")[1])
            return transactions(parts.joined(separator: "."))
        case .cut: return transactions(String(signed.prefix(Int.random(in: 1..<signed.count - 2, using: &random))))
        case .anotherApp: return transactions(try purchase.signed(for: "com.example.other"))
        case .future:
            let ahead = Double.random(in: 3_600...400_000_000, using: &random)
            return transactions(try purchase.signed(at: TestOffice.start.addingTimeInterval(ahead)))
        case .unknownID:
            return Forgery(kind: kind, proof: .transactionID(purchase.transaction.id), field: "transactionId")
        case .receiptOfAnother:
            let receipt = try purchase.receipt(by: try receiptAuthority.get())
            return Forgery(kind: kind, proof: .receipt(receipt), field: "receipt")
        case .nothing:
            let letters = (0..<Int.random(in: 1...300, using: &random)).compactMap { _ in
                "ab.=-_ ş用{}\"\\\n".randomElement(using: &random)
            }
            return transactions(String(letters))
        }
    }

    /// Returns a token with one letter of a part changed; not the last, some of whose bits mean nothing.
    private static func changed(_ token: String, part: Int, using random: inout SeededGenerator) -> String {
        var parts = token.split(separator: ".").map { Array($0) }
        let place = Int.random(in: 0..<parts[part].count - 1, using: &random)
        let others = "ABCDwxyz0189-_".filter { $0 != parts[part][place] }
        parts[part][place] = others.randomElement(using: &random) ?? "A"
        return parts.map { String($0) }.joined(separator: ".")
    }
}

extension Purchase {
    /// Returns the purchase's `jwsRepresentation`, signed by another authority than Apple's.
    fileprivate func signed(by authority: TestAuthority) throws -> String {
        try Self.transaction(in: try AppleSigner(authority: authority).sign(notification))
    }

    fileprivate func signed(for bundleID: String) throws -> String {
        var notification = notification
        (notification.bundleID, notification.signedDate) = (bundleID, TestOffice.start)
        return try Self.transaction(in: try AppleSigner(authority: try TestOffice.authority.get()).sign(notification))
    }

    private static func transaction(in told: String) throws -> String {
        let body = try #require(told.split(separator: ".").dropFirst().first)
        let json = try JSON(parsing: Base64.decode(url: body.utf8) ?? [])
        return try #require(json["data"]?["signedTransactionInfo"]?.string)
    }
}
