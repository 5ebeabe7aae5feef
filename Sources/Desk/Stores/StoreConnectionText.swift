import Billing
import HTTP
import Operations
import Storage
import Words

/// The connection of an app to a store, in words.
enum StoreConnectionText {
    static func name(of kind: StoreKey.Kind, at store: Store, _ strings: Strings) -> StaticString {
        switch (store, kind) {
        case (.wechat, .api): strings.connectionsKeyWechatPay
        case (.wechat, _): strings.connectionsKeyWechat
        case (.alipay, _): strings.connectionsKeyAlipay
        case (_, .api): strings.connectionsKeyApi
        case (_, .sharedSecret): strings.connectionsKeySharedSecret
        case (_, .signIn): strings.connectionsKeySignIn
        }
    }

    /// Returns the purpose of the key: what the app can do with it, and not without it.
    static func purpose(of kind: StoreKey.Kind, at store: Store, _ strings: Strings) -> StaticString {
        switch (store, kind) {
        case (.wechat, .api): strings.connectionsPurposeWechatPay
        case (.wechat, _): strings.connectionsPurposeWechat
        case (.alipay, _): strings.connectionsPurposeAlipay
        case (_, .api): strings.connectionsPurposeApi
        case (_, .sharedSecret): strings.connectionsPurposeSharedSecret
        case (_, .signIn): strings.connectionsPurposeSignIn
        }
    }

    /// Returns the place in the store's console where a key is found.
    static func source(of kind: StoreKey.Kind, at store: Store, _ strings: Strings) -> StaticString {
        switch (store, kind) {
        case (.wechat, .api): strings.connectionsSourceWechatPay
        case (.wechat, _): strings.connectionsSourceWechat
        case (.alipay, _): strings.connectionsSourceAlipay
        case (_, .api): strings.connectionsSourceApi
        case (_, .sharedSecret): strings.connectionsSourceSharedSecret
        case (_, .signIn): strings.connectionsSourceSignIn
        }
    }

    static func status(of origin: StoreConnection.Origin, isNeeded: Bool, _ strings: Strings) -> StatusText {
        switch origin {
        case .catalog, .uploaded: StatusText(strings.connectionsSet, strings.connectionsSet, "completed")
        case .unreadable: StatusText(strings.connectionsUnreadable, strings.connectionsUnreadable, "failed")
        case .missing:
            isNeeded
                ? StatusText(strings.connectionsMissing, strings.connectionsMissing, "failed")
                : StatusText(strings.connectionsNotSet, strings.connectionsNotSet, "cancelled")
        }
    }

    static func status(of result: TestNotification.Result, _ strings: Strings) -> StatusText {
        switch result {
        case .pending: StatusText(strings.connectionsTestPending, strings.connectionsTestPending, "pending")
        case .arrived: StatusText(strings.connectionsTestArrived, strings.connectionsTestArrived, "completed")
        case .undelivered:
            StatusText(strings.connectionsTestUndelivered, strings.connectionsTestUndelivered, "failed")
        case .elsewhere: StatusText(strings.connectionsTestElsewhere, strings.connectionsTestElsewhere, "failed")
        case .refused: StatusText(strings.connectionsTestRefused, strings.connectionsTestRefused, "failed")
        case .unanswered:
            StatusText(strings.connectionsTestUnanswered, strings.connectionsTestUnanswered, "failed")
        }
    }

    /// Returns the meaning of a test's result, and its remedy.
    static func meaning(of result: TestNotification.Result, _ strings: Strings) -> StaticString {
        switch result {
        case .pending: strings.connectionsTestPendingText
        case .arrived: strings.connectionsTestArrivedText
        case .undelivered: strings.connectionsTestUndeliveredText
        case .elsewhere: strings.connectionsTestElsewhereText
        case .refused: strings.connectionsTestRefusedText
        case .unanswered: strings.connectionsTestUnansweredText
        }
    }

    /// Returns Apple's message about an account in words; an unknown type by Apple's own name of it.
    static func accountEvent(_ type: String, _ strings: Strings) -> String {
        switch type {
        case "email-enabled": strings.connectionsAccountEmailOn.description
        case "email-disabled": strings.connectionsAccountEmailOff.description
        case "consent-revoked": strings.connectionsAccountRevoked.description
        case "account-delete", "account-deleted": strings.connectionsAccountDeleted.description
        default: type
        }
    }

    /// Returns true if a secret is typed in; others come as files.
    static func isTyped(_ name: String) -> Bool { ["sharedSecret", "appSecret", "apiV3Key"].contains(name) }

    /// The store's own word for a setting.
    static func label(of name: String, _ strings: Strings) -> String {
        switch name {
        case "issuerId": strings.connectionsIssuerId.description
        case "keyId", "id.keyId": strings.connectionsKeyId.description
        case "privateKey", "id.privateKey": strings.connectionsPrivateKey.description
        case "sharedSecret": strings.connectionsKeySharedSecret.description
        case "appSecret": strings.connectionsAppSecret.description
        case "appPrivateKey": strings.connectionsAppPrivateKey.description
        case "alipayPublicKey": strings.connectionsAlipayPublicKey.description
        case "id.clientIds": strings.connectionsClientIds.description
        case "id.teamId": strings.connectionsTeamId.description
        case "merchantId": strings.connectionsMerchantId.description
        case "merchantSerial": strings.connectionsMerchantSerial.description
        case "payPublicKeyId": strings.connectionsPayPublicKeyId.description
        case "merchantKey": strings.connectionsMerchantKey.description
        case "apiV3Key": strings.connectionsApiV3Key.description
        case "payPublicKey": strings.connectionsPayPublicKey.description
        case "platformCertificates": strings.connectionsPlatformCertificates.description
        case "appCertificate": strings.connectionsAppCertificate.description
        case "alipayCertificate": strings.connectionsAlipayCertificate.description
        case "alipayRootCertificate": strings.connectionsAlipayRootCertificate.description
        default: name
        }
    }

    static func hint(of name: String, _ strings: Strings) -> StaticString? {
        switch name {
        case "privateKey", "id.privateKey": strings.connectionsPrivateKeyHint
        case "id.clientIds": strings.connectionsClientIdsHint
        case "appPrivateKey": strings.connectionsAppPrivateKeyHint
        case "alipayPublicKey": strings.connectionsAlipayPublicKeyHint
        case "merchantSerial": strings.connectionsMerchantSerialHint
        case "payPublicKeyId": strings.connectionsPayPublicKeyIdHint
        case "merchantKey": strings.connectionsMerchantKeyHint
        case "apiV3Key": strings.connectionsApiV3KeyHint
        case "payPublicKey": strings.connectionsPayPublicKeyHint
        case "platformCertificates": strings.connectionsPlatformCertificatesHint
        case "appCertificate": strings.connectionsAppCertificateHint
        case "alipayCertificate": strings.connectionsAlipayCertificateHint
        case "alipayRootCertificate": strings.connectionsAlipayRootCertificateHint
        default: nil
        }
    }

    static func problem(with name: String, _ strings: Strings) -> StaticString? {
        switch name {
        case "issuerId": strings.connectionsProblemIssuerId
        case "keyId", "id.keyId", "id.teamId": strings.connectionsProblemId
        case "privateKey", "id.privateKey": strings.connectionsProblemPrivateKey
        case "sharedSecret": strings.connectionsProblemSharedSecret
        case "id.clientIds": strings.connectionsProblemClientIds
        case "appSecret": strings.connectionsProblemAppSecret
        case "appPrivateKey": strings.connectionsProblemAppPrivateKey
        case "alipayPublicKey": strings.connectionsProblemAlipayPublicKey
        case "merchantId": strings.connectionsProblemMerchantId
        case "merchantSerial": strings.connectionsProblemMerchantSerial
        case "payPublicKeyId": strings.connectionsProblemPayPublicKeyId
        case "merchantKey": strings.connectionsProblemMerchantKey
        case "apiV3Key": strings.connectionsProblemApiV3Key
        case "payPublicKey": strings.connectionsProblemPayPublicKey
        case "platformCertificates": strings.connectionsProblemPlatformCertificates
        case "appCertificate": strings.connectionsProblemAppCertificate
        case "alipayCertificate": strings.connectionsProblemAlipayCertificate
        case "alipayRootCertificate": strings.connectionsProblemAlipayRootCertificate
        default: nil
        }
    }
}
