import Foundation
import HTTPTypes
import Postgres
import Testing

@Suite("The trial that an app gives, over HTTP") struct TrialTests {
    @Test("a customer who has had nothing is eligible, starts it, and is answered the same again")
    func starts() async throws {
        try await CustomerCalls.run { calls in
            try await Self.offer(calls)
            let token = try await calls.nobody()
            let asked = try await calls.ask(.get, "/subscriptions/trial/eligibility", token: token, language: "zh-Hans")
            let eligibility = try asked.object()
            #expect(eligibility["eligible"] as? Bool == true)
            #expect(eligibility["reason"] is NSNull)
            #expect(eligibility["message"] as? String == "您可以开始免费试用。")
            #expect(eligibility["planType"] as? String == "PRO")
            #expect(eligibility["trialDays"] as? Int == 7)
            #expect(eligibility["eligibleProducts"] as? [String] == ["com.readmigo.pro.yearly"])
            let none = try await calls.ask(.get, "/subscriptions/trial/status", token: token).object()
            #expect(none["status"] is NSNull)
            let started = try await calls.ask(.post, "/subscriptions/trial/start", token: token)
            #expect(started.status == .ok)
            let trial = try started.object()
            #expect(trial["status"] as? String == "TRIAL")
            #expect(trial["source"] as? String == "NONE")
            #expect(trial["daysRemaining"] as? Int == 7)
            let again = try await calls.ask(.post, "/subscriptions/trial/start", token: token).object()
            #expect(again["trialStartedAt"] as? String == trial["trialStartedAt"] as? String)
            let status = try await calls.ask(.get, "/subscriptions/status", token: token).object()
            #expect(status["status"] as? String == "TRIAL")
            #expect(status["planType"] as? String == "PRO")
            #expect(status["trialEndsAt"] as? String == trial["trialEndsAt"] as? String)
            let used = try await calls.ask(.get, "/subscriptions/trial/eligibility", token: token).object()
            #expect(used["reason"] as? String == "trialUsed")
            let cancel = try await calls.ask(.post, "/api/v1/subscription/cancel", token: token, language: "en")
            #expect(cancel.status == .conflict)
            #expect(
                try cancel.object()["detail"] as? String
                    == "Your free trial ends by itself, and you will not be charged. There is nothing to cancel."
            )
        }
    }

    @Test("who has bought is refused with a code and a sentence")
    func refused() async throws {
        try await CustomerCalls.run { calls in
            try await Self.offer(calls)
            let answer = try await calls.ask(
                .post,
                "/subscriptions/trial/start",
                token: try await calls.buyer(),
                language: "en"
            )
            #expect(answer.status == .conflict)
            #expect(try answer.object()["code"] as? String == "activeSubscription")
        }
    }

    private static func offer(_ calls: CustomerCalls) async throws {
        try await calls.site.pool.withConnection { connection in
            try await connection.execute(
                script: """
                    INSERT INTO trial_offers (app_id, plan_id, period_count, period_unit, product_ids)
                    SELECT app_id, id, 7, 'day', '{com.readmigo.pro.yearly}'
                    FROM plans
                    WHERE id = '00000000-0000-7000-8000-0000000000a1'
                    """
            )
        }
    }
}
