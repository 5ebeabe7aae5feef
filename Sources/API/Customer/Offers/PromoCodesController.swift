import APITypes
import Billing
import Foundation
package import HTTP
import HTTPTypes
package import Hummingbird
import Operations
import Storage

/// Redeems promo codes for customers.
package struct PromoCodesController: Sendable {
    let backOffice: BackOffice
    let addresses: ClientAddress

    package static let redeem = APIOperation(
        "redeemPromoCode",
        .offers,
        "Redeems a promo code",
        """
        What it gives begins now, or where what the customer has of the plan or a higher one ends. Sent again by the same customer, a code \
        that only one can redeem answers the same. A code that is none is 404, one that gives nothing 409; `code` says why. After 10 wrong \
        codes of a customer within an hour it is 429 with `Retry-After`, and after 30 of an address for codes that there are not.
        """,
        body: PromoCodeRequest.body,
        mayTakeKey: true,
        findsByBody: true,
        answer: .ok(PromoCodeRedemption.self, "It is redeemed.")
    )

    /// `POST /promo-codes/redeem`
    @Sendable package func redeem(_ call: CustomerRequest) async throws -> Response {
        let sent = try await call.request.json(PromoCodeRequest.self).value
        let code = sent.code ?? ""
        do {
            let answer = try await backOffice.redeemPromoCode(
                code,
                key: try call.key(for: ["promo code", code]),
                from: addresses.counted(call.request, peer: call.context.peer),
                for: call.session,
                caller: Caller(
                    .customer(call.customer),
                    actor: "customer",
                    address: addresses.of(call.request, peer: call.context.peer),
                    requestID: call.context.requestID
                )
            )
            return .json(PromoCodeRedemption(answer))
        } catch let error as OperationsError {
            throw error.forPrograms()
        }
    }
}

extension PromoCodeRedemption {
    fileprivate init(_ answer: PromoRedemptionAnswer) {
        self.init(
            name: answer.name,
            granted: Granted(planType: answer.plan, startsAt: answer.startsAt, endsAt: answer.endsAt),
            redeemedAt: answer.redeemedAt,
            planType: answer.currentPlan,
            expiresAt: answer.currentUntil
        )
    }
}
