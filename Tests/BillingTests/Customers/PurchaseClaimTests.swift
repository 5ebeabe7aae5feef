import Billing
import Foundation
import Testing

@Suite("Claims on purchases") struct PurchaseClaimTests {
    private typealias Party = PurchaseClaim.Party

    private static let placeholder = party(isPlaceholder: true, day: 1)
    private static let device = party(day: 2)
    private static let otherDevice = party(day: 3)
    private static let account = party(isIdentified: true, day: 4)
    private static let otherAccount = party(isIdentified: true, day: 5)
    private static let deleted = party(isPlaceholder: true, day: 6, isDeleted: true)

    private static func party(
        isIdentified: Bool = false,
        isPlaceholder: Bool = false,
        day: Double,
        isDeleted: Bool = false
    ) -> PurchaseClaim.Party {
        PurchaseClaim.Party(
            id: Customer.ID(UUID()),
            isIdentified: isIdentified,
            isPlaceholder: isPlaceholder,
            since: Date(timeIntervalSince1970: day * 86_400),
            isDeleted: isDeleted
        )
    }

    /// One cell of the table in docs/api/purchases.md.
    struct Cell: Sendable, CustomTestStringConvertible {
        var claimant: String
        var owner: String
        var proof: String
        var result: String
        var testDescription: String { "\(claimant) shows a purchase of \(owner): \(proof)" }
    }

    static let cells: [Cell] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let text = try? String(contentsOf: root.appending(path: "docs/api/purchases.md"), encoding: .utf8)
        let rows = (text ?? "").split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        guard let head = rows.first(where: { $0.first == "claimant" }) else { return [] }
        return rows.filter { ["anonymous", "minted", "signed in"].contains($0[0]) && $0.count == head.count }
            .flatMap { row in
                zip(head, row).dropFirst(2).map { Cell(claimant: row[0], owner: row[1], proof: $0, result: $1) }
            }
    }()

    private static func owner(_ name: String) -> Party? {
        switch name {
        // The store's message makes one before anybody claims.
        case "nobody", "placeholder": placeholder
        case "anonymous": device
        case "minted", "signed in": otherAccount
        case "deleted": deleted
        default: nil
        }
    }

    @Test("each cell of the documented table is what is decided", arguments: cells)
    func table(cell: Cell) throws {
        let claimant = cell.claimant == "anonymous" ? Self.otherDevice : Self.account
        let owner = try #require(Self.owner(cell.owner))
        let isJoined = cell.proof.contains("app transaction") && !claimant.isIdentified && cell.owner == "anonymous"
        let worth: ProofWorth = cell.proof.contains("id") && !isJoined ? .nothing : .proven
        let decided = TransferBehavior.allCases.map {
            PurchaseClaim(of: claimant, on: owner, by: worth, behavior: $0)
        }
        let expected: [PurchaseClaim]? =
            switch cell.result {
            case "theirs": [.ownerJoinsClaimant, .ownerJoinsClaimant, .ownerJoinsClaimant]
            case "one": [.claimantJoinsOwner, .claimantJoinsOwner, .claimantJoinsOwner]
            case "moves": [.moved, .moved, .moved]
            case "refused": [.refused, .refused, .refused]
            case "unproven": [.unproven, .unproven, .unproven]
            case "setting": [.refused, .shared, .transferred]
            default: nil
            }
        #expect(decided == expected)
    }

    @Test("the table has all 90 cells")
    func complete() {
        #expect(Self.cells.count == 90)
    }

    @Test(
        "whatever is shown, nobody's record ends in an account's but a placeholder's, and no account's in anybody's",
        arguments: [ProofWorth.proven, .unconfirmed, .nothing]
    )
    func opensNoAccount(worth: ProofWorth) {
        let everybody = [
            Self.placeholder, Self.device, Self.otherDevice, Self.account, Self.otherAccount, Self.deleted,
        ]
        for claimant in everybody {
            for owner in everybody {
                for behavior in TransferBehavior.allCases {
                    for isLocked in [false, true] {
                        switch PurchaseClaim(of: claimant, on: owner, by: worth, behavior: behavior, isLocked: isLocked)
                        {
                        case .ownerJoinsClaimant:
                            #expect(!owner.isIdentified && !owner.isDeleted)
                            #expect(!claimant.isIdentified || owner.isPlaceholder)
                        case .claimantJoinsOwner:
                            #expect(!claimant.isIdentified && !owner.isIdentified && !owner.isDeleted)
                        case .moved, .transferred, .shared:
                            #expect(worth == .proven && !isLocked)
                        case .held, .refused, .unproven: break
                        }
                    }
                }
            }
        }
    }

    @Test("of two devices the older is the one that is kept; what is one's own stays")
    func devices() {
        #expect(PurchaseClaim(of: Self.device, on: Self.otherDevice, by: .proven) == .ownerJoinsClaimant)
        #expect(PurchaseClaim(of: Self.otherDevice, on: Self.device, by: .proven) == .claimantJoinsOwner)
        for worth in [ProofWorth.proven, .unconfirmed, .nothing] {
            #expect(PurchaseClaim(of: Self.device, on: Self.device, by: worth) == .held)
            #expect(PurchaseClaim(of: Self.account, on: Self.account, by: worth, isLocked: true) == .held)
        }
    }

    @Test("what the store has signed and not confirmed claims nobody's purchase, and waits for everybody else's")
    func unconfirmed() {
        #expect(PurchaseClaim(of: Self.account, on: Self.placeholder, by: .unconfirmed) == .ownerJoinsClaimant)
        for owner in [Self.otherDevice, Self.otherAccount, Self.deleted] {
            #expect(PurchaseClaim(of: Self.device, on: owner, by: .unconfirmed) == .unproven)
        }
    }

    @Test("what staff gave to somebody no account takes away, and no device")
    func locked() {
        for owner in [Self.placeholder, Self.device, Self.otherAccount, Self.deleted] {
            #expect(PurchaseClaim(of: Self.account, on: owner, by: .proven, isLocked: true) == .refused)
        }
        let device = PurchaseClaim(
            of: Self.device,
            on: Self.account,
            by: .proven,
            behavior: .transfer,
            isLocked: true
        )
        #expect(device == .refused)
        #expect(
            PurchaseClaim(of: Self.device, on: Self.placeholder, by: .proven, isLocked: true) == .claimantJoinsOwner
        )
    }

    @Test(
        "a masked address is known to whose it is, and to nobody else",
        arguments: [
            ("ada.lovelace@example.com", "a•••@e•••.com"), ("a@b.co.uk", "a•••@b•••.uk"), ("x@localhost", "x•••@l•••"),
        ]
    )
    func masks(address: String, masked: String) {
        #expect(OwnerHint.masked(address) == masked)
    }

    @Test("what is no address has no mask", arguments: ["", "ada", "@example.com", "ada@", "a@b@c"])
    func masksNothing(text: String) {
        #expect(OwnerHint.masked(text) == nil)
    }
}
