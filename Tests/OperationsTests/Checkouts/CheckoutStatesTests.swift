import Billing
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import Testing

@Suite("Every state of an order to pay, and all that can happen to it") struct CheckoutStatesTests {
    /// All that can happen: what the shop says when it is asked, its message of the payment, and the end of the time.
    enum Event: String, CaseIterable, Sendable {
        case open, paying, unknown, closed, paid, message, expiry
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var state: String
        var event: Event
        /// The state afterwards, and the reason why it was closed.
        var then: String

        var testDescription: String { "\(state), \(event.rawValue): \(then)" }
    }

    static let table: [Row] = [
        ("opening", ["opening", "opening", "opening", "closed closed_by_store", "paid", "paid", "closed expired"]),
        ("open", ["open", "open", "open", "closed closed_by_store", "paid", "paid", "closed expired"]),
        (
            "closing",
            [
                "closing replaced", "closing replaced", "closing replaced", "closed replaced", "paid replaced",
                "paid replaced", "closed replaced",
            ]
        ),
        // Nobody asks any more; a message is honoured all the same.
        (
            "closed",
            [
                "closed expired", "closed expired", "closed expired", "closed expired", "closed expired",
                "paid expired", "closed expired",
            ]
        ),
        ("paid", ["paid", "paid", "paid", "paid", "paid", "paid", "paid"]),
    ].flatMap { state, ends in
        zip(Event.allCases, ends).map { Row(state: state, event: $0, then: $1) }
    }

    @Test("leads where the table says, and what is paid gives access, and nothing else does", arguments: table)
    func row(_ row: Row) async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let number = try await order(in: row.state, for: customer, office)
            let now = office.office.clock.read()
            let payment = office.wechat.pay(number, at: now, fen: 1_800, as: "wechat-1", isKnown: false)
            switch row.event {
            case .open: office.wechat.say(.open, of: number)
            case .paying: office.wechat.say(.paying, of: number)
            case .unknown: office.wechat.say(.unknown, of: number)
            case .closed: office.wechat.say(.closed(nil), of: number)
            case .paid: office.wechat.say(.paid(payment), of: number)
            case .message: _ = try await office.backOffice.settle(payment, at: .wechat, of: office.app)
            case .expiry:
                office.office.clock.advance(by: 901)
                try await office.watch()
                office.office.clock.advance(by: 120)
            }
            // Whatever happens twice happens once.
            for _ in 1...2 { try await office.watch() }
            let then = try await office.office.lines(
                "SELECT concat_ws(' ', state, close_reason) FROM checkouts WHERE number = \(number)"
            )
            #expect(then == [row.then])
            let isPaid = row.then.hasPrefix("paid")
            #expect(try await office.plan(customer) == (isPaid ? "PRO" : nil))
            #expect(try await office.office.count("orders") == (isPaid ? 1 : 0))
        }
    }

    /// Brings an order into a state, by the way that orders come there.
    private func order(in state: String, for customer: Customer.ID, _ office: CheckoutOffice) async throws -> String {
        if state == "opening" {
            office.wechat.fail(.away)
            await #expect(throws: OperationsError.self) { try await office.open(for: customer) }
            return try #require(try await office.office.lines("SELECT number FROM checkouts").first)
        }
        let number = try await office.open(for: customer).checkout.number
        switch state {
        case "paid":
            let payment = office.wechat.pay(number, at: office.office.clock.read(), as: "wechat-1")
            #expect(try await office.backOffice.settle(payment, at: .wechat, of: office.app) == .settled)
        case "closing":
            _ = try await office.backOffice.applyCatalog(try CheckoutOffice.catalog(pro: 20))
            _ = try await office.open(for: customer)
        case "closed":
            office.office.clock.advance(by: 901)
            try await office.watch()
        default: break
        }
        #expect(try await office.checkout(number).state.rawValue == state)
        return number
    }
}
