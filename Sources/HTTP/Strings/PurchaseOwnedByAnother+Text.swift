import Operations
package import Words

extension PurchaseOwnedByAnother {
    /// For who showed the purchase: where to sign in, as far as the app tells.
    package func text(in strings: Strings) -> String {
        let name = provider.map { AuthProviderText.name(of: $0, strings).description }
        return switch (maskedEmail, name) {
        case (nil, nil): strings.problemsPurchaseOwnedByAnother.description
        case (nil, let name?): strings.problemsPurchaseOwnedByAnotherAt(provider: name)
        case (let email?, nil): strings.problemsPurchaseOwnedByAnotherAs(account: email)
        case (let email?, let name?): strings.problemsPurchaseOwnedByAnotherAsAt(account: email, provider: name)
        }
    }
}
