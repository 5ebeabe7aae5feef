import Billing
import Foundation

/// The address of a store: scheme and host, perhaps a path, and no slash at the end.
enum StoreAddress {
    /// - Parameters:
    ///   - isSimulated: true for an app of a test store; only then may an address be plain http.
    ///   - subject: the name of the service there, for the message.
    ///   - field: the setting.
    /// - Throws: `.misconfigured`.
    static func base(
        _ text: String,
        isSimulated: Bool,
        of subject: StaticString,
        field: String
    ) throws(GatewayError) -> String {
        guard let url = URLComponents(string: text), let host = url.host, !host.isEmpty, url.user == nil,
            url.query == nil, url.fragment == nil, url.scheme == "https" || url.scheme == "http"
        else {
            throw GatewayError(
                .misconfigured,
                "The address of \(subject) is no base URL such as https://store.example.com.",
                field: field
            )
        }
        guard url.scheme == "https" || isSimulated else {
            throw GatewayError(
                .misconfigured,
                "\(field) of an app of the store must begin with https: what is sent there carries secrets.",
                field: field
            )
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// The address that an app's account names, or else the store's own.
    ///
    /// - Parameters:
    ///   - store: in the message: "WeChat".
    ///   - setting: the address's name among the account's settings.
    /// - Throws: `.misconfigured`.
    static func base(
        _ standard: String,
        orSetting setting: String,
        of account: StoreAccount,
        at store: StaticString
    ) throws(GatewayError) -> String {
        guard let own = account.settings[setting] else {
            try requireRealStore(account, named: store, field: "settings.\(setting)")
            return standard
        }
        return try base(own, isSimulated: account.isSimulated, of: store, field: "settings.\(setting)")
    }

    /// An app of a test store asks that store, and never the real one.
    ///
    /// - Throws: `.misconfigured`, for an account that names no address.
    static func requireRealStore(
        _ account: StoreAccount,
        named store: StaticString,
        field: String
    ) throws(GatewayError) {
        guard account.isSimulated else { return }
        throw GatewayError(
            .misconfigured,
            "An app of a test store asks that store, and never \(store): its address is missing.",
            field: field
        )
    }
}
