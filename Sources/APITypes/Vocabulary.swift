/// The words that several fields and parameters share.
public enum Vocabulary {
    /// The stores, as the readmigo document names them.
    public static let sources = ["APPLE_IAP", "GOOGLE_PLAY", "WECHAT_PAY", "ALIPAY"]
    public static let environments = ["PRODUCTION", "SANDBOX"]
    public static let offerTypes = ["INTRODUCTORY", "PROMOTIONAL", "OFFER_CODE", "WIN_BACK"]
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
    /// The same as the llm-proxy document writes them.
    public static let subscriptionStates = subscriptionStatuses.map { $0.lowercased() }
    /// Where somebody pays, as the lightgallery document names it.
    public static let paymentMethods = sources.map { $0.lowercased() }
    public static let refundTypes = ["FULL", "PARTIAL", "PRORATED"]
    public static let consumptionReasons = [
        "UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER",
    ]
    public static let refundPreferences = ["GRANT_FULL", "GRANT_PRORATED", "DECLINE"]
    public static let storeDecisions = ["REFUNDED", "DECLINED"]
    public static let extensionReasons = ["UNDECLARED", "CUSTOMER_SATISFACTION", "OTHER", "SERVICE_ISSUE_OR_OUTAGE"]
    public static let extensionStates = ["SENDING", "RUNNING", "SUCCEEDED", "REFUSED"]
    public static let refundStatuses = ["PENDING", "APPROVED", "PROCESSED", "REJECTED", "CANCELLED", "EXPIRED"]
    /// Why staff do what they do.
    public static let reasonCategories = [
        "customer_request", "mistaken_purchase", "service_failure", "goodwill", "fraud", "testing", "correction",
        "other",
    ]
    /// What is unusual about a customer.
    public static let signals = [
        "SEVERAL_ACCOUNTS", "FOREIGN_ACCOUNT", "REFUSED_CLAIM", "MANY_REFUNDS", "RAPID_CHANGES",
    ]
    public static let queues = [
        "notifications", "bulk_jobs", "reports", "reconciliations", "purchase_verifications", "consumption_answers",
        "extension_requests", "account_tokens",
    ]
    public static let verificationStatuses = ["PENDING", "PROVISIONAL", "VERIFIED", "REJECTED"]
    public static let reconciliationTriggers = ["schedule", "command"]
    public static let testNotificationResults = ["PENDING", "ARRIVED", "UNDELIVERED", "ELSEWHERE", "REFUSED"]
    public static let externalPurchaseStates = ["CREATED", "REMINDED", "UNREPORTED"]
    /// What limits of usage are of.
    public static let usageWindows = ["day", "month", "lifetime"]
    /// Why a customer may not use something.
    public static let restrictions = ["tierRequired", "limitReached"]
    public static let jobStates = ["available", "scheduled", "retryable", "running", "discarded"]
}

extension JSONSchema.Rule {
    /// ISO 4217.
    public static var currencyCode: Self { .pattern("^[A-Z]{3}$") }

    /// What a signed transaction looks like (JWS, RFC 7515).
    public static var signedTransaction: Self {
        .example(.string("eyJhbGciOiJFUzI1NiJ9.eyJidW5kbGVJZCI6ImFwcCJ9.c2lnbmF0dXJl"))
    }
}
