import HTTP
import Storage
import Words

/// The scopes of a secret key, in words.
enum AppKeyText {
    static func purpose(of scope: AppKeyScope, _ strings: Strings) -> StaticString {
        switch scope {
        case .readEntitlements: strings.appKeysReadEntitlements
        case .writeUsage: strings.appKeysWriteUsage
        case .readCustomers: strings.appKeysReadCustomers
        case .mintTokens: strings.appKeysMintTokens
        case .writeSeats: strings.appKeysWriteSeats
        }
    }
}
