/// The reason for refusing an app's call, as the member `code` of its problem. Codes are stable; others may be added.
///
/// Codes that the documents define are taken from there. Each has its sentence in every language (`Languages/*/problems.strings`).
package enum ProblemCode: String, Hashable, Sendable, CaseIterable {
    // Codes that the documents define (docs/api/errors.md has the table).

    /// The customer's plan does not include it (readmigo).
    case tierRequired
    /// The plan's limit is used up (readmigo).
    case limitReached
    /// The provider did not sign the customer in (lightgallery).
    case oauthFailed
    /// The provider could not be asked; the app may try again (lightgallery).
    case networkError
    /// The provider's account belongs to a customer other than the one who is signed in.
    case identityTaken
    /// The customer who is signed in has another account at the provider.
    case providerAlreadyLinked
    /// The token was good once: refresh it, or sign in again (lightgallery).
    case tokenExpired
    /// It opens nothing: sign in again (lightgallery).
    case tokenInvalid
    /// A proof of purchase that proves nothing (lightgallery).
    case verificationFailed
    /// The same for a receipt (kombin, swift-iap-framework, llm-proxy).
    case receiptValidationFailed
    /// The purchase belongs to somebody else, who has to sign in.
    case purchaseOwnedByAnother
    /// The store sold it, but the app's catalogue lacks it (lightgallery, kombin).
    case productNotFound

    // Codes that the documents leave open.

    case appNotFound
    /// The token or key is of another app than the call names.
    case wrongApp
    case featureNotFound
    case reservationNotFound
    case reservationExpired
    /// With another quantity than is said now.
    case reservationSettled
    case reservationReleased
    /// Under it, something else was asked before.
    case idempotencyKeyReused
    /// The account token is of another customer.
    case accountTokenTaken
    /// The app sells nothing there that could be verified.
    case storeNotConnected
    case paymentMethodNotConnected
    case nothingToCancel
    /// A grant ends by itself.
    case grantNotCancellable
    /// A trial ends by itself.
    case trialNotCancellable
    /// The purchase does not renew: it ends by itself.
    case doesNotRenew
    /// Renewals at the store cannot be turned off here.
    case cancellationNotConnected
    case noTrial
    case trialUsed
    case activeSubscription
    /// Trials are for those who have never paid.
    case previouslyPaid
    /// The purchaser has no group to which the app invites.
    case noSeatGroup
    /// The group's subscription has ended, or is not paid.
    case seatGroupNotRunning
    /// All seats of the group are taken.
    case noSeatsLeft
    /// The store gives no seat, and says why.
    case seatRefused
    case promoCodeUnknown
    case promoCodeNotYetValid
    case promoCodeExpired
    case promoCodeStopped
    case promoCodeUsedUp
    case promoCodeAlreadyRedeemed
    /// The customer has as much already.
    case promoCodeAlreadyCovered
    /// The customer has a higher plan; the lower one can be bought when it is over.
    case higherPlanRuns
    /// A store charges the customer for the plan's next period anyway.
    case alreadySubscribed
    /// The rest of the customer's plan is worth as much as the period.
    case worthLess
    case otherCurrency
    case tooFarAhead
    /// The customer has many orders that are not paid.
    case tooManyCheckouts
    /// The store opens no such order.
    case purchaseFailed

    // The kinds of failure, for what has no code of its own.

    case badRequest
    case unauthenticated
    case forbidden
    case notFound
    case methodNotAllowed
    case conflict
    case payloadTooLarge
    case uriTooLong
    case headersTooLarge
    case unsupportedMediaType
    /// `errors` says which fields.
    case invalid
    case tooManyRequests
    case busy
    case unavailable
    case internalError

    /// True if the client in the lightgallery document shows the `message` beside it: for sign-in, or where signing in would help.
    package var isOfSignIn: Bool {
        switch self {
        case .oauthFailed, .networkError, .identityTaken, .providerAlreadyLinked, .tokenExpired, .tokenInvalid,
            .purchaseOwnedByAnother:
            true
        default: false
        }
    }
}
