import Billing
import Foundation
import Testing

@Suite("Claims on purchases") struct PurchaseClaimTests {
    private static let placeholder = party(isPlaceholder: true, day: 1)
    private static let device = party(day: 2)
    private static let otherDevice = party(day: 3)
    private static let account = party(isIdentified: true, day: 4)
    private static let otherAccount = party(isIdentified: true, day: 5)

    private static func party(
        isIdentified: Bool = false,
        isPlaceholder: Bool = false,
        day: Double
    ) -> PurchaseClaim.Party {
        PurchaseClaim.Party(
            id: Customer.ID(UUID()),
            isIdentified: isIdentified,
            isPlaceholder: isPlaceholder,
            since: Date(timeIntervalSince1970: day * 86_400)
        )
    }

    @Test(
        "whoever holds the store's signature is one with an owner whom nobody has named; of two accounts one keeps the purchase",
        arguments: [
            (account, placeholder, .ownerJoinsClaimant), (account, device, .ownerJoinsClaimant),
            (account, otherAccount, .refused), (account, account, .held), (device, placeholder, .ownerJoinsClaimant),
            (device, account, .claimantJoinsOwner), (otherDevice, device, .claimantJoinsOwner),
            (device, otherDevice, .ownerJoinsClaimant), (device, device, .held),
        ] as [(PurchaseClaim.Party, PurchaseClaim.Party, PurchaseClaim)]
    )
    func decides(claimant: PurchaseClaim.Party, owner: PurchaseClaim.Party, expected: PurchaseClaim) {
        #expect(PurchaseClaim(of: claimant, on: owner) == expected)
    }

    @Test("what staff gave to somebody no account takes away")
    func locked() {
        #expect(PurchaseClaim(of: Self.account, on: Self.placeholder, isLocked: true) == .refused)
        #expect(PurchaseClaim(of: Self.account, on: Self.device, isLocked: true) == .refused)
        #expect(PurchaseClaim(of: Self.device, on: Self.placeholder, isLocked: true) == .claimantJoinsOwner)
        #expect(PurchaseClaim(of: Self.account, on: Self.account, isLocked: true) == .held)
    }
}
