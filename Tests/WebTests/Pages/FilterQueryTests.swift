import Billing
import Desk
import Foundation
import HTTP
import Storage
import Testing
import Web

@Suite struct FilterQueryTests {
    @Test("unknown values fall back to the defaults, and are kept to be said")
    func defaults() throws {
        var query = QueryReader([
            ("status", "lost"), ("sort", "mood"), ("dir", "up"), ("customer", "me"), ("page", "7"), ("q", " \n "),
            ("columns", "amount.status"), ("page", "8"), ("", "x"),
        ])
        let filter = try OrderFilter(&query)
        #expect(filter.columns?.columns == [.amount, .status])
        #expect(filter.changed { $0.columns = nil } == OrderFilter())
        #expect(
            query.ignored == [
                .name("page"), .name(""), .value("lost", of: "status"), .value("me", of: "customer"),
                .value("mood", of: "sort"), .value("up", of: "dir"),
            ]
        )
        #expect(try NotificationFilter(query: [("state", "lost")]) == NotificationFilter())
    }

    @Test("what a form sends without a choice is neither a filter nor a mistake")
    func unchosen() throws {
        var query = QueryReader([("plan", ""), ("store", ""), ("refunds", ""), ("from", ""), ("to", ""), ("q", "")])
        #expect(try CustomerFilter(&query) == CustomerFilter())
        #expect(query.ignored.isEmpty)
    }

    @Test("an environment is written as the API writes it, and read in no other spelling")
    func environments() throws {
        let filter = SubscriptionFilter(environment: .sandbox)
        #expect(filter.path.hasSuffix("?environment=SANDBOX"))
        #expect(try SubscriptionFilter(query: [("environment", "SANDBOX")]) == filter)
        for spelling in ["sandbox", "Sandbox"] {
            var query = QueryReader([("environment", spelling)])
            #expect(try LedgerFilter(&query) == LedgerFilter())
            #expect(query.ignored == [.value(spelling, of: "environment")])
        }
    }

    @Test("a word is read in any letter case, and a store also as the API names it; the address keeps one spelling")
    func spellings() throws {
        for word in ["partially_refunded", "PARTIALLY_REFUNDED"] {
            let filter = try OrderFilter(query: [("status", word)])
            #expect(filter == OrderFilter(status: .partiallyRefunded))
            #expect(filter.path.hasSuffix("?status=partially_refunded"))
        }
        #expect(try SubscriptionFilter(query: [("state", "GRACE_PERIOD")]) == SubscriptionFilter(state: .gracePeriod))
        #expect(try RefundFilter(query: [("status", "APPROVED")]).status == .approved)
        for word in ["apple", "APPLE", "APPLE_IAP", "apple_iap"] {
            #expect(try CustomerFilter(query: [("store", word)]) == CustomerFilter(store: .apple))
        }
        var query = QueryReader([("store", "APPLE_STORE")])
        #expect(try CustomerFilter(&query) == CustomerFilter())
        #expect(query.ignored == [.value("APPLE_STORE", of: "store")])
    }

    @Test("a path is read back as the filter it was written from")
    func roundTrip() throws {
        let cursor = PageCursor(kind: .orderAmount, value: 19_800, id: Sample.uuid(77), rowsBefore: 250)
        let filter = OrderFilter(
            status: .partiallyRefunded,
            search: "İbrahim & “Söhne” 100%",
            customer: Customer.ID(Sample.uuid(8)),
            sort: .amount,
            direction: .ascending,
            position: .before(cursor)
        )
        #expect(try OrderFilter(query: query(of: filter.path)) == filter)
        let received = PageCursor(kind: .notificationReceived, date: Sample.now, id: Sample.uuid(5), rowsBefore: 25)
        let notifications = NotificationFilter(state: .failed, position: .after(received))
        #expect(try NotificationFilter(query: query(of: notifications.path)) == notifications)
    }

    @Test("a search is trimmed, cut at 200 characters, and free of NUL")
    func search() throws {
        #expect(try OrderFilter(query: [("q", "  ORD-20241215-0001\t")]).search == "ORD-20241215-0001")
        #expect(try OrderFilter(query: [("q", "a\0b")]).search == "ab")
        #expect(try OrderFilter(query: [("q", String(repeating: "x", count: 500))]).search.count == 200)
    }

    @Test(
        "a moment survives its cursor to the microsecond",
        arguments: [0, 1, 1_734_235_200.123456, 1_795_228_799.999999]
    )
    func microseconds(_ seconds: Double) throws {
        let cursor = PageCursor(
            kind: .orderCreated,
            date: Date(timeIntervalSince1970: seconds),
            id: Sample.uuid(1),
            rowsBefore: 0
        )
        let read = try PageCursor(text: cursor.text, kind: .orderCreated)
        #expect(read == cursor)
        #expect(abs(read.date.timeIntervalSince1970 - seconds) < 0.000_000_5)
    }

    @Test("a cursor that we did not write is an error", arguments: ["", "x", "AAAA", "after", "%00", "é"])
    func garbled(_ text: String) {
        #expect(throws: InvalidCursor.self) { try OrderFilter(query: [("after", text)]) }
        #expect(throws: InvalidCursor.self) { try OrderFilter(query: [("before", text)]) }
        #expect(throws: InvalidCursor.self) { try NotificationFilter(query: [("after", text)]) }
    }

    @Test("a cursor of another order, cut short, lengthened or with a bit too many is an error")
    func foreign() throws {
        let cursor = PageCursor(kind: .orderCreated, date: Sample.now, id: Sample.uuid(1), rowsBefore: 25).text
        #expect(throws: Never.self) { try OrderFilter(query: [("after", cursor)]) }
        #expect(throws: InvalidCursor.self) { try OrderFilter(query: [("after", cursor), ("sort", "amount")]) }
        #expect(throws: InvalidCursor.self) { try NotificationFilter(query: [("after", cursor)]) }
        for other in [String(cursor.dropLast()), cursor + "A", cursor.dropLast() + "B", "_" + cursor.dropFirst()] {
            #expect(throws: InvalidCursor.self) { try OrderFilter(query: [("after", String(other))]) }
        }
        let beyond = PageCursor(kind: .orderCreated, value: .max, id: Sample.uuid(1), rowsBefore: 0).text
        #expect(throws: InvalidCursor.self) { try OrderFilter(query: [("after", beyond)]) }
    }

    private func query(of path: String) -> [(name: String, value: String)] {
        URLComponents(string: path)?.queryItems?.map { (name: $0.name, value: $0.value ?? "") } ?? []
    }
}
