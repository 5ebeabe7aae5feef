package import Foundation

/// The rules in which stores differ from each other. Code above the gateways asks for the rule, never for the store's name.
package struct StoreRules: Hashable, Sendable {
    /// The store charges for the next period by itself, until the customer turns that off. Where not, each period is bought.
    package var renewsByItself: Bool
    /// The store decides about refunds and pays them, so that we can only state our preference. Where not, they are ours.
    package var decidesRefunds: Bool
    /// The time in which a store wants our word on a refund that a customer asked it for, in seconds; nil where it does not ask.
    package var refundAnswerTime: TimeInterval?
    /// The store takes a word on a refund only about a customer who has consented. Where not, what the customer used is left out instead.
    package var refundAnswersNeedConsent: Bool
    /// The time in which a store has to be told that a purchase was delivered, in seconds; then it gives the money back. nil where it need
    /// not be told.
    package var acknowledgementTime: TimeInterval?
    /// After an upgrade the store gives back the unused part of the old period. Where not, it was taken off the new price.
    package var creditsUpgrades: Bool
    /// The store puts off the next renewal of a subscription when it is asked to.
    package var extendsRenewals: Bool
    /// The account token of a subscription can be set at the store after the purchase.
    package var setsAccountTokens: Bool
    /// The page on which customers cancel what they bought there; nil where nothing renews.
    package var subscriptionsPage: String?
    /// The page on which customers ask the store for a refund; nil where they ask us.
    package var refundsPage: String?
    /// The limits within which it pays refunds that we ask for.
    package var refundLimits: RefundLimits
    /// Whoever has it pay a refund says whether access ends with it. Where not, we decide about access.
    package var revokesOnRequest: Bool
    /// Money can be given back there without a word of it to anybody, so that what was sold has to be asked about.
    package var keepsRefundsQuiet: Bool

    package init(
        renewsByItself: Bool = false,
        decidesRefunds: Bool = false,
        refundAnswerTime: TimeInterval? = nil,
        refundAnswersNeedConsent: Bool = false,
        acknowledgementTime: TimeInterval? = nil,
        creditsUpgrades: Bool = false,
        extendsRenewals: Bool = false,
        setsAccountTokens: Bool = false,
        subscriptionsPage: String? = nil,
        refundsPage: String? = nil,
        refundLimits: RefundLimits = RefundLimits(),
        revokesOnRequest: Bool = false,
        keepsRefundsQuiet: Bool = false
    ) {
        (self.renewsByItself, self.decidesRefunds) = (renewsByItself, decidesRefunds)
        (self.refundAnswerTime, self.acknowledgementTime) = (refundAnswerTime, acknowledgementTime)
        (self.refundAnswersNeedConsent, self.creditsUpgrades) = (refundAnswersNeedConsent, creditsUpgrades)
        (self.extendsRenewals, self.setsAccountTokens) = (extendsRenewals, setsAccountTokens)
        (self.subscriptionsPage, self.refundsPage) = (subscriptionsPage, refundsPage)
        (self.refundLimits, self.revokesOnRequest) = (refundLimits, revokesOnRequest)
        self.keepsRefundsQuiet = keepsRefundsQuiet
    }

    /// A shop that sells a period at a time and pays refunds when we say so.
    package static let shop = StoreRules()

    static let apple = StoreRules(
        renewsByItself: true,
        decidesRefunds: true,
        refundAnswerTime: 12 * 3_600,
        refundAnswersNeedConsent: true,
        creditsUpgrades: true,
        extendsRenewals: true,
        setsAccountTokens: true,
        subscriptionsPage: "https://apps.apple.com/account/subscriptions",
        refundsPage: "https://reportaproblem.apple.com"
    )

    static let google = StoreRules(
        renewsByItself: true,
        refundAnswerTime: 24 * 3_600,
        acknowledgementTime: 3 * 86_400,
        subscriptionsPage: "https://play.google.com/store/account/subscriptions",
        refundLimits: RefundLimits(within: 3 * 365 * 86_400, takesParts: false),
        revokesOnRequest: true,
        keepsRefundsQuiet: true
    )

    /// WeChat Pay refunds within a year, in 50 parts at most, a minute apart (payments.md, 1B).
    static let wechat = StoreRules(refundLimits: RefundLimits(most: 50, apart: 60, within: 365 * 86_400))
}
