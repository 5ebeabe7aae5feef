import Billing
import Foundation
import Storage
import Testing

@testable import Operations

@Suite("Changes of access as the audit log keeps them") struct FieldChangeTextTests {
    private static let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    private static let start = Date(timeIntervalSince1970: 1_790_000_000)
    private static let end = start.addingTimeInterval(86_400)

    private static let known: [(FieldChange.Field, [FieldChange.Value])] = [
        (.plan, [.plan("PRO")]), (.receiverPlan, [.plan("PREMIUM")]), (.until, [.moment(end), .noEnd]),
        (.source, [.given, .store(.apple)]),
        (.next, [.renewal(end), .from(end, plan: "PRO"), .from(end, plan: nil)]),
        (.grant(Grant.ID(id)), [.span(plan: "PRO", start, end), .span(plan: "PRO", start, nil), .ended(end)]),
        (.subscription(Subscription.ID(id)), [.counts, .suspended]),
        (.holder(Subscription.ID(id)), [.customer(Customer.ID(id))]),
    ]

    @Test("what is written is read back as it was", arguments: known)
    func readBack(_ field: FieldChange.Field, _ values: [FieldChange.Value]) throws {
        #expect(FieldChange.Field(name: field.name) == field)
        for value in values {
            #expect(FieldChange.Value(text: try #require(value.text), of: field) == value)
        }
    }

    @Test(
        "what nobody wrote so is nothing",
        arguments: ["", "\0", "grant 1", "holder of", String(repeating: "a ", count: 50_000)]
    )
    func unknown(_ text: String) {
        #expect(FieldChange.Field(name: text) == nil)
        for (field, _) in Self.known
        where ![.plan, .receiverPlan].contains(field) {
            #expect(FieldChange.Value(text: text, of: field) == nil, "\(field.name)")
        }
    }
}
