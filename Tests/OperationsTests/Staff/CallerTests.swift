import Billing
import Foundation
import Operations
import Storage
import Testing

@Suite("Who acts") struct CallerTests {
    private static let ada = Staff.ID(UUID())

    @Test("personal data is for people and tokens whose role may see it, and for the operator")
    func personalData() {
        for role in StaffRole.allCases {
            for kind in [Caller.Kind.staff(Self.ada), .token(owner: Self.ada)] {
                let caller = Caller(kind, actor: "ada", role: role)
                #expect(caller.seesPersonalData == role.may(.viewPersonalData), "\(kind) \(role)")
                #expect(!Caller(kind, actor: "ada").seesPersonalData)
            }
        }
        #expect(Caller.commandLine.seesPersonalData)
    }

    @Test("a stranger, a customer, a store and the clock may nothing, whatever role stands beside them")
    func powerless() {
        let kinds: [Caller.Kind] = [
            .stranger(claiming: nil), .stranger(claiming: Self.ada), .customer(Customer.ID(UUID())), .store(.apple),
            .clock(for: nil), .clock(for: Self.ada),
        ]
        for kind in kinds {
            for role in StaffRole.allCases {
                #expect(!Caller(kind, actor: "x", role: role).seesPersonalData, "\(kind)")
            }
        }
    }

    @Test("the audit log names the person behind a token, a job and an attempt")
    func person() {
        let kinds: [Caller.Kind] = [
            .staff(Self.ada), .token(owner: Self.ada), .stranger(claiming: Self.ada), .clock(for: Self.ada),
        ]
        for kind in kinds { #expect(Caller(kind, actor: "ada").staff == Self.ada) }
        #expect(Caller.store(.apple).staff == nil && Caller.store(.apple).actor == "apple")
        #expect(Caller.commandLine.staff == nil)
    }
}
