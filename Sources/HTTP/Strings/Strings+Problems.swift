import APITypes
package import Billing
package import Operations
import Storage
package import Words

/// The sentences that tell an app's customers, in their language, that something is refused.
extension Strings {
    package func sentence(of reason: ProblemCode) -> StaticString {
        switch reason {
        case .tierRequired: problemsTierRequired
        case .limitReached: problemsLimitReached
        case .oauthFailed: problemsOauthFailed
        case .networkError: problemsNetworkError
        case .identityTaken: problemsIdentityTaken
        case .providerAlreadyLinked: problemsProviderAlreadyLinked
        case .tokenExpired: problemsTokenExpired
        case .tokenInvalid: problemsTokenInvalid
        case .verificationFailed: problemsVerificationFailed
        case .receiptValidationFailed: problemsReceiptValidationFailed
        case .purchaseOwnedByAnother: problemsPurchaseOwnedByAnother
        case .productNotFound: problemsProductNotFound
        case .appNotFound: problemsAppNotFound
        case .wrongApp: problemsWrongApp
        case .featureNotFound: problemsFeatureNotFound
        case .reservationNotFound: problemsReservationNotFound
        case .reservationExpired: problemsReservationExpired
        case .reservationSettled: problemsReservationSettled
        case .reservationReleased: problemsReservationReleased
        case .idempotencyKeyReused: problemsIdempotencyKeyReused
        case .accountTokenTaken: problemsAccountTokenTaken
        case .storeNotConnected: problemsStoreNotConnected
        case .paymentMethodNotConnected: problemsPaymentMethodNotConnected
        case .nothingToCancel: problemsNothingToCancel
        case .grantNotCancellable: problemsGrantNotCancellable
        case .trialNotCancellable: problemsTrialNotCancellable
        case .doesNotRenew: problemsDoesNotRenew
        case .cancellationNotConnected: problemsCancellationNotConnected
        case .noTrial: problemsNoTrial
        case .trialUsed: problemsTrialUsed
        case .activeSubscription: problemsActiveSubscription
        case .previouslyPaid: problemsPreviouslyPaid
        case .noSeatGroup: problemsNoSeatGroup
        case .seatGroupNotRunning: problemsSeatGroupNotRunning
        case .noSeatsLeft: problemsNoSeatsLeft
        case .seatRefused: problemsSeatRefused
        case .promoCodeUnknown: problemsPromoCodeUnknown
        case .promoCodeNotYetValid: problemsPromoCodeNotYetValid
        case .promoCodeExpired: problemsPromoCodeExpired
        case .promoCodeStopped: problemsPromoCodeStopped
        case .promoCodeUsedUp: problemsPromoCodeUsedUp
        case .promoCodeAlreadyRedeemed: problemsPromoCodeAlreadyRedeemed
        case .promoCodeAlreadyCovered: problemsPromoCodeAlreadyCovered
        case .higherPlanRuns: problemsHigherPlanRuns
        case .alreadySubscribed: problemsAlreadySubscribed
        case .worthLess: problemsWorthLess
        case .otherCurrency: problemsOtherCurrency
        case .tooFarAhead: problemsTooFarAhead
        case .tooManyCheckouts: problemsTooManyCheckouts
        case .purchaseFailed: problemsPurchaseFailed
        case .badRequest: problemsBadRequest
        case .unauthenticated: problemsUnauthenticated
        case .forbidden: problemsForbidden
        case .notFound: problemsNotFound
        case .methodNotAllowed: problemsMethodNotAllowed
        case .conflict: problemsConflict
        case .payloadTooLarge: problemsPayloadTooLarge
        case .uriTooLong: problemsUriTooLong
        case .headersTooLarge: problemsHeadersTooLarge
        case .unsupportedMediaType: problemsUnsupportedMediaType
        case .invalid: problemsInvalid
        case .tooManyRequests: problemsTooManyRequests
        case .busy: problemsBusy
        case .unavailable: problemsUnavailable
        case .internalError: problemsInternalError
        }
    }

    /// Returns the fault of a field, for an app. A sentence that only English has becomes one that says only that it is wrong.
    package func reason(of problem: FieldProblem) -> String {
        if language == .english { return problem.message }
        if case .other = problem.kind { return fieldsUnfit.description }
        return sentence(of: problem.kind)
    }

    /// The kind of failure.
    package func title(of code: WebError.Code) -> StaticString {
        switch code {
        case .badRequest: problemsTitleBadRequest
        case .unauthenticated: problemsTitleUnauthenticated
        case .forbidden, .forged: problemsTitleForbidden
        case .notFound: problemsTitleNotFound
        case .methodNotAllowed: problemsTitleMethodNotAllowed
        case .conflict: problemsTitleConflict
        case .payloadTooLarge: problemsTitlePayloadTooLarge
        case .uriTooLong: problemsTitleUriTooLong
        case .unsupportedMediaType: problemsTitleUnsupportedMediaType
        case .invalid: problemsTitleInvalid
        case .tooManyRequests: problemsTitleTooManyRequests
        case .tierRequired: problemsTitleTierRequired
        case .limitReached, .usedUp: problemsTitleLimitReached
        case .headersTooLarge: problemsTitleHeadersTooLarge
        case .internalError, .misconfigured: problemsTitleInternalError
        case .unavailable: problemsTitleUnavailable
        case .busy: problemsTitleBusy
        }
    }

    /// Returns the reason why a feature is not for the customer, by the names that the app gives it and its plans.
    ///
    /// - Parameters:
    ///   - feature: the feature's name.
    ///   - plan: the name of the lowest plan with it; nil where none has it.
    package func tierRequired(feature: String, plan: String?) -> String {
        plan.map { problemsTierRequiredNamed(feature: feature, plan: $0) } ?? problemsTierRequired.description
    }

    /// - Parameter feature: as the app's catalogue has it, which may have a sentence of its own.
    package func limitReached(_ feature: CatalogFeature, _ limit: Int64, in window: UsageWindow) -> String {
        let number = number(Int(clamping: limit))
        if let own = feature.limitReached.text(in: "\(tag)") { return own.replacing("{limit}", with: number) }
        let name = feature.name(in: "\(tag)")
        return switch window {
        case .day: problemsLimitReachedDay(feature: name, limit: number)
        case .month: problemsLimitReachedMonth(feature: name, limit: number)
        case .lifetime: problemsLimitReachedLifetime(feature: name, limit: number)
        }
    }
}

extension WebError {
    /// Returns the text that an app shows to its customer.
    package func text(in strings: Strings) -> String {
        customerMessage ?? signIn?.text(in: strings) ?? owner?.text(in: strings)
            ?? strings.sentence(of: reason ?? ErrorTable.reason(of: code)).description
    }

    /// The same for the app: English says of what has no reason of its own what was wrong with this very request.
    fileprivate func detail(in strings: Strings) -> String {
        let isPlain = customerMessage == nil && signIn == nil && reason == nil
        return isPlain && strings.language == .english ? message : text(in: strings)
    }
}

extension Problem {
    /// - Parameter strings: of an app's customer; nil for staff's programs, which are told in English.
    package init(_ failure: WebError, at path: String, requestID: String, in strings: Strings?) {
        self.init(
            failure.code,
            detail: failure.message,
            at: path,
            requestID: requestID,
            errors: failure.fields.map { InputError(field: $0.field, reason: $0.message) }
        )
        if let strings { say(failure, in: strings) }
        if let refusal = failure.usage { add(refusal) }
        if let owner = failure.owner { (signInProvider, maskedEmail) = (owner.provider?.rawValue, owner.maskedEmail) }
    }

    /// Says a failure to an app: in a language, and by codes.
    private mutating func say(_ failure: WebError, in strings: Strings) {
        title = strings.title(of: failure.code).description
        detail = failure.detail(in: strings)
        code = (failure.reason ?? ErrorTable.reason(of: failure.code)).rawValue
        errors = failure.fields.map { problem in
            InputError(field: problem.field, code: problem.kind.code, reason: strings.reason(of: problem))
        }
    }
}
