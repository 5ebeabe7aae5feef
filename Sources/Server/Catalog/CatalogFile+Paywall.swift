import Billing
import Foundation
import Operations

extension CatalogFile {
    func checked(_ paywall: Paywall) throws -> PaywallCopy {
        func texts(_ texts: [String: String]?, _ field: String) throws -> LocalizedText {
            try texts.map { try localized($0, "paywall.\(field)").texts } ?? LocalizedText()
        }
        return PaywallCopy(
            title: try texts(paywall.title, "title"),
            headline: try texts(paywall.headline, "headline"),
            subscribe: try texts(paywall.subscribe, "subscribe"),
            termsURL: try paywall.terms.map { try page($0, "paywall.terms") },
            privacyURL: try paywall.privacy.map { try page($0, "paywall.privacy") }
        )
    }

    /// A text in one or more languages; `icon` names the picture beside it.
    func benefit(_ entry: [String: String], _ path: String) throws -> PlanBenefit {
        var texts = entry
        let icon = texts.removeValue(forKey: "icon")
        if let icon, !PlanBenefit.isIcon(icon) {
            throw invalid("\(path).icon", "is a name of 1 to 64 letters, digits, dots, hyphens and underscores")
        }
        return PlanBenefit(try localized(texts, path).texts, icon: icon)
    }

    /// Checks the text for a customer at the end of a limit: `{limit}` is all that can stand in braces.
    func limitText(_ texts: [String: String], _ path: String) throws -> LocalizedText {
        let checked = try localized(texts, path).texts
        for (language, text) in texts.sorted(by: { $0.key < $1.key }) {
            guard !text.replacing("{limit}", with: "").contains(where: { $0 == "{" || $0 == "}" }) else {
                throw invalid("\(path).\(language)", "has braces around something else than {limit}")
            }
        }
        return checked
    }

    /// A page on the web.
    private func page(_ address: String, _ path: String) throws -> String {
        let plain = address.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") }
        guard plain, address.utf8.count <= 500, let url = URL(string: address), url.scheme == "https",
            !(url.host() ?? "").isEmpty
        else { throw invalid(path, "is an address that begins with https://, of at most 500 characters") }
        return address
    }
}
