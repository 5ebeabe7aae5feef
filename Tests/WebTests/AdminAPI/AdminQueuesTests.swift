import APITypes
import Foundation
import HTTPTypes
import Operations
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("The admin API: queues") struct AdminQueuesTests {
    private static let reports = "/admin/queues/reports"
    private static let reason = #""category":"service_failure","reason":"The directory is there again.""#
    private static let one = #"{"id":"\#(TestSite.deadReport)",\#(reason)}"#

    @Test("every queue says how many of its jobs stand where, and since when the oldest waits")
    func list() async throws {
        try await Self.run { _, programs in
            let list = try Programs.decode(QueueList.self, try await programs.get("/admin/queues", as: .analyst))
            #expect(
                list.queues.map(\.name) == [
                    "notifications", "bulk_jobs", "reports", "reconciliations", "purchase_verifications",
                    "consumption_answers", "extension_requests", "account_tokens",
                    "sign_in_revocations", "order_joinings", "seat_groups", "checkouts",
                    "acknowledgements", "daily_bills", "refund_payouts",
                ]
            )
            let reports = try #require(list.queues.first { $0.name == "reports" })
            let counts: [Int] = [reports.available, reports.scheduled, reports.retryable, reports.running]
            #expect(counts == [1, 1, 1, 1])
            #expect(reports.discarded == 2 && reports.oldestDueAt != nil)
            let other = try Programs.decode(QueueList.self, try await programs.get("/admin/queues", of: "kombin"))
            #expect(other.queues.count == list.queues.count)
            #expect(other.queues.allSatisfy { $0.discarded == 0 && $0.oldestDueAt == nil })
            #expect(try await programs.get("/admin/queues?state=running").status == .unprocessableContent)
        }
    }

    @Test("jobs are listed by where they stand, those that failed unless asked, and paged")
    func jobs() async throws {
        try await Self.run { site, programs in
            let failed = try Programs.decode(QueueJobPage.self, try await programs.get("\(Self.reports)/jobs"))
            #expect(failed.jobs.map(\.lastError) == ["no such directory", "disk full"] && failed.next == nil)
            let job = try #require(failed.jobs.first)
            #expect(job.id == UUID(uuidString: TestSite.deadReport) && job.state == "discarded" && job.canBeRetried)
            #expect(job.attempt == 60 && job.maxAttempts == 60 && job.title == nil && job.leaseEndsAt == nil)
            let running = try await programs.get("\(Self.reports)/jobs?state=running", as: .support)
            #expect(try Programs.decode(QueueJobPage.self, running).jobs.first?.leaseEndsAt != nil)
            let bulk = try await programs.get("/admin/queues/bulk_jobs/jobs")
            let page = try Programs.decode(QueueJobPage.self, bulk)
            #expect(page.jobs.map(\.subjectId) == [UUID(uuidString: TestSite.bulkJobID)])
            #expect(page.jobs.first?.title == "extend" && page.jobs.first?.attempt == 10)
            let inbox = try await programs.get("/admin/queues/notifications/jobs")
            // It holds nothing that could be applied.
            #expect(try Programs.decode(QueueJobPage.self, inbox).jobs.map(\.canBeRetried) == [false])
            try await site.addDeadReports(30)
            let pages = try await programs.pages("\(Self.reports)/jobs", QueueJobPage.self) { $0.next }
            #expect(pages.map(\.jobs.count) == [25, 7] && Set(pages.flatMap(\.jobs).map(\.id)).count == 32)
            #expect(try await programs.get("/admin/queues/letters/jobs").status == .notFound)
            for query in ["state=odd", "after=x", "cursor=x", "state=running&state=running"] {
                let status = try await programs.get("\(Self.reports)/jobs?\(query)").status.code
                #expect([400, 422].contains(status), "\(query)")
            }
        }
    }

    @Test("one is tried again once per key, and all of a queue without an id")
    func retry() async throws {
        try await Self.run { site, programs in
            let first = try await programs.post("\(Self.reports)/retries", Self.one, "k1")
            #expect(first.status == .ok && first.text == #"{"queue":"reports","count":1}"#, "\(first.text)")
            #expect(try await site.state(ofJob: TestSite.deadReport) == "available 60 of 61")
            let again = try await programs.post("\(Self.reports)/retries", Self.one, "k1")
            #expect(again.text == first.text)
            #expect(try await programs.post("\(Self.reports)/retries", Self.one, "k2").status == .conflict)
            let all = try await programs.post("\(Self.reports)/retries", "{\(Self.reason)}", "k3")
            #expect(all.text == #"{"queue":"reports","count":1}"#, "\(all.text)")
            #expect(try await site.state(ofJob: TestSite.otherDeadReport) == "available 60 of 61")
            #expect(try await site.state(ofJob: TestSite.deadBulkJob) == "discarded 12 of 10")
            #expect(try await site.audit().filter { $0 == "queue.retry" }.count == 2)
        }
    }

    @Test("what is wrong is named, and nothing is done")
    func mistakes() async throws {
        try await Self.run { site, programs in
            let path = "\(Self.reports)/retries"
            for (body, field) in [
                (#"{"id":"no-uuid",\#(Self.reason)}"#, "id"), (#"{"id":7,\#(Self.reason)}"#, "id"),
                (#"{"id":"",\#(Self.reason)}"#, "id"), (#"{"reason":"The directory is there again."}"#, "category"),
                (#"{"category":"goodwill","reason":"short"}"#, "reason"),
            ] {
                let answer = try await programs.post(path, body, "k")
                #expect(answer.status == .unprocessableContent, "\(answer.text)")
                #expect(try answer.fields() == [field], "\(answer.text)")
            }
            let keyless = try await programs.post(path, Self.one, nil)
            #expect(keyless.status == .unprocessableContent)
            #expect(try keyless.fields() == ["Idempotency-Key"])
            #expect(try await programs.post("/admin/queues/letters/retries", Self.one, "k").status == .notFound)
            #expect(try await programs.post(path, Self.one, "k", of: "kombin").status == .conflict)
            for role in [StaffRole.support, .analyst] {
                #expect(try await programs.post(path, Self.one, "k", as: role).status == .forbidden)
            }
            #expect(try await site.state(ofJob: TestSite.deadReport) == "discarded 60 of 60")
            #expect(try await site.audit().filter { $0 == "queue.retry" }.isEmpty)
        }
    }

    private static func run(_ body: @escaping @Sendable (TestSite, Programs) async throws -> Void) async throws {
        try await Programs.run(
            {
                try await $0.addOrders(1)
                try await $0.addJobs()
            },
            body
        )
    }
}
