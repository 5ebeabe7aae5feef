/// The words that several fields and parameters share.
public enum Vocabulary {
    /// The stores, as the readmigo document names them.
    public static let sources = ["APPLE_IAP", "GOOGLE_PLAY", "WECHAT_PAY", "ALIPAY"]
    public static let environments = ["PRODUCTION", "SANDBOX"]
    public static let offerTypes = ["INTRODUCTORY", "PROMOTIONAL", "OFFER_CODE", "WIN_BACK"]
    public static let offerDiscounts = ["FREE_TRIAL", "PAY_AS_YOU_GO", "PAY_UP_FRONT", "ONE_TIME"]
    public static let priceConsents = ["PENDING", "ACCEPTED"]
    public static let orderStatuses = [
        "PENDING", "COMPLETED", "FAILED", "REFUNDED", "PARTIALLY_REFUNDED", "SUPERSEDED", "CANCELLED",
    ]
    public static let transactionTypes = [
        "INITIAL_PURCHASE", "RENEWAL", "UPGRADE", "DOWNGRADE", "REFUND", "REVOKE", "REFUND_REVERSAL",
        "UPGRADE_CREDIT", "UPGRADE_CREDIT_REVERSAL",
    ]
    public static let subscriptionStatuses = [
        "PENDING", "TRIAL", "ACTIVE", "GRACE_PERIOD", "BILLING_RETRY", "CANCELLED", "PAUSED", "EXPIRED",
        "TRIAL_EXPIRED", "REVOKED",
    ]
    /// The statuses that apps get, in the words of the readmigo document: a refunded subscription, and one in billing retry after its
    /// grace period, is `EXPIRED` there.
    public static let customerStatuses = subscriptionStatuses.filter { !["REVOKED", "BILLING_RETRY"].contains($0) }
    /// The same as the llm-proxy document writes them.
    public static let subscriptionStates = subscriptionStatuses.map { $0.lowercased() }
    /// The payment methods, as the lightgallery document names them.
    public static let paymentMethods = sources.map { $0.lowercased() }
    /// The sign-in providers, as the lightgallery document names them.
    public static let authProviders = ["apple", "wechat", "alipay"]
    public static let refundTypes = ["FULL", "PARTIAL", "PRORATED"]
    public static let consumptionReasons = [
        "UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER",
    ]
    public static let refundPreferences = ["GRANT_FULL", "GRANT_PRORATED", "DECLINE"]
    public static let storeDecisions = ["REFUNDED", "DECLINED"]
    public static let payoutStates = [
        "WAITING", "SENT", "UNPAID", "PROCESSING", "PAID", "CLOSED", "ABNORMAL", "REFUSED", "WITHDRAWN",
    ]
    public static let payoutObstacles = ["WHOLE_ORDERS_ONLY", "TOO_OLD", "TOO_MANY"]
    public static let extensionReasons = ["UNDECLARED", "CUSTOMER_SATISFACTION", "OTHER", "SERVICE_ISSUE_OR_OUTAGE"]
    public static let extensionStates = ["SENDING", "RUNNING", "SUCCEEDED", "REFUSED"]
    public static let refundStatuses = ["PENDING", "APPROVED", "PROCESSED", "REJECTED", "CANCELLED", "EXPIRED"]
    /// The categories of staff's reasons.
    public static let reasonCategories = [
        "customer_request", "mistaken_purchase", "service_failure", "goodwill", "fraud", "testing", "correction",
        "other",
    ]
    /// The signs of unusual activity by a customer.
    public static let signals = [
        "SEVERAL_ACCOUNTS", "FOREIGN_ACCOUNT", "REFUSED_CLAIM", "TRANSFERRED_PURCHASE", "REFUSED_IDENTITY",
        "MANY_REFUNDS",
        "RAPID_CHANGES", "DISPUTED_TRANSACTION", "PAID_BACK_TWICE",
    ]
    public static let queues = [
        "notifications", "bulk_jobs", "reports", "reconciliations", "purchase_verifications", "consumption_answers",
        "extension_requests", "account_tokens", "sign_in_revocations", "order_joinings", "seat_groups", "checkouts",
        "acknowledgements", "daily_bills", "refund_payouts",
    ]
    public static let verificationStatuses = ["PENDING", "PROVISIONAL", "VERIFIED", "REJECTED"]
    public static let reconciliationTriggers = ["schedule", "command"]
    public static let billStatuses = ["AWAITED", "INCOMPLETE", "COMPARED", "MISSING"]
    public static let billDifferences = [
        "PAID_THERE", "PAID_HERE", "PAYMENT_AMOUNT", "REFUNDED_THERE", "REFUNDED_HERE", "REFUND_AMOUNT",
    ]
    public static let billDifferenceStatuses = ["OPEN", "EXPLAINED", "CLOSED"]
    public static let testNotificationResults = [
        "PENDING", "ARRIVED", "UNDELIVERED", "ELSEWHERE", "REFUSED", "UNANSWERED",
    ]
    public static let externalPurchaseStates = ["CREATED", "REMINDED", "UNREPORTED"]
    /// The windows of usage limits.
    public static let usageWindows = ["day", "month", "lifetime"]
    /// The reasons why a customer may not use a feature.
    public static let restrictions = ["tierRequired", "limitReached"]
    public static let checkoutMethods = [
        "wechat_native", "wechat_jsapi", "wechat_app", "wechat_h5", "alipay_page", "alipay_wap", "alipay_app",
        "alipay_qr",
    ]
    public static let checkoutStates = ["opening", "open", "paid", "closing", "closed"]
    public static let promoStates = ["SCHEDULED", "RUNNING", "EXPIRED", "STOPPED"]
    /// The reasons why an app's call is refused; the documents' own reasons keep their words.
    public static let problemCodes = [
        "tierRequired", "limitReached", "oauthFailed", "networkError", "identityTaken", "providerAlreadyLinked",
        "tokenExpired",
        "tokenInvalid", "verificationFailed", "receiptValidationFailed", "purchaseOwnedByAnother", "productNotFound",
        "appNotFound", "wrongApp", "featureNotFound", "reservationNotFound",
        "reservationExpired", "reservationSettled", "reservationReleased", "idempotencyKeyReused", "accountTokenTaken",
        "storeNotConnected", "paymentMethodNotConnected", "nothingToCancel", "grantNotCancellable",
        "trialNotCancellable",
        "doesNotRenew", "cancellationNotConnected", "noTrial", "trialUsed", "activeSubscription", "previouslyPaid",
        "noSeatGroup", "seatGroupNotRunning", "noSeatsLeft", "seatRefused",
        "promoCodeUnknown", "promoCodeNotYetValid", "promoCodeExpired", "promoCodeStopped", "promoCodeUsedUp",
        "promoCodeAlreadyRedeemed", "promoCodeAlreadyCovered", "higherPlanRuns", "alreadySubscribed", "worthLess",
        "otherCurrency", "tooFarAhead",
        "tooManyCheckouts", "purchaseFailed",
        "badRequest", "unauthenticated", "forbidden", "notFound", "methodNotAllowed", "conflict", "payloadTooLarge",
        "uriTooLong", "headersTooLarge", "unsupportedMediaType", "invalid", "tooManyRequests", "busy", "unavailable",
        "internalError",
    ]
    /// The errors in a field of an app's request.
    public static let fieldProblemCodes = [
        "required", "unknownChoice", "unknownName", "tooShort", "tooLong", "notANumber", "notADate", "notPositive",
        "tooSmall", "tooLarge", "notConfirmed", "taken", "empty", "onlyOne", "guessable", "noPeriod", "periodOver",
        "tooMany", "wrongType", "repeated", "unknownParameter", "nulCharacter", "tooLongAgo", "inFuture", "notAllowed",
        "invalid",
    ]
    /// The reasons why a customer gets no trial.
    public static let trialRefusals = ["noTrial", "trialUsed", "activeSubscription", "previouslyPaid"]
    /// The sources of a customer's access: the stores, promo codes, staff, and `NONE` for a trial that the app gives.
    public static let accessSources = sources + ["PROMO_CODE", "GRANT", "NONE"]
    public static let jobStates = ["available", "scheduled", "retryable", "running", "discarded"]
}

extension JSONSchema.Rule {
    /// ISO 4217.
    public static var currencyCode: Self { .pattern("^[A-Z]{3}$") }

    /// An example of a signed transaction (JWS, RFC 7515).
    public static var signedTransaction: Self {
        .example(.string("eyJhbGciOiJFUzI1NiJ9.eyJidW5kbGVJZCI6ImFwcCJ9.c2lnbmF0dXJl"))
    }
}
