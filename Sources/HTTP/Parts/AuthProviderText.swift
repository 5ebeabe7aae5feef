package import Billing
package import Words

/// The everyday names of the providers that sign customers in.
package enum AuthProviderText {
    package static func name(of provider: AuthProvider, _ strings: Strings) -> StaticString {
        switch provider {
        case .apple: strings.customerApiProviderApple
        case .wechat: strings.customerApiProviderWechat
        case .alipay: strings.customerApiProviderAlipay
        }
    }
}
