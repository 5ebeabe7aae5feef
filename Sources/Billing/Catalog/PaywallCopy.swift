/// The texts of an app's paywall, apart from the products (kombin, "PaywallView Design"). All of them are optional; for a missing one an
/// app uses its own.
package struct PaywallCopy: Hashable, Sendable {
    package var title: LocalizedText
    /// The line under the title.
    package var headline: LocalizedText
    /// The label of the buy button.
    package var subscribe: LocalizedText
    /// The addresses of the terms that the customer agrees to.
    package var termsURL: String?
    package var privacyURL: String?

    package init(
        title: LocalizedText = LocalizedText(),
        headline: LocalizedText = LocalizedText(),
        subscribe: LocalizedText = LocalizedText(),
        termsURL: String? = nil,
        privacyURL: String? = nil
    ) {
        self.title = title
        self.headline = headline
        self.subscribe = subscribe
        self.termsURL = termsURL
        self.privacyURL = privacyURL
    }
}

/// One thing that a paywall says of a plan.
package struct PlanBenefit: Hashable, Sendable {
    package var text: LocalizedText
    /// The name of a picture that the app has; nil without one.
    package var icon: String?

    package init(_ text: LocalizedText, icon: String? = nil) {
        self.text = text
        self.icon = icon
    }

    /// True if a text is a valid icon name, such as `infinity.circle`: 1 to 64 letters, digits, dots, hyphens and underscores.
    package static func isIcon(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z0-9._\-]{1,64}/) != nil
    }
}
