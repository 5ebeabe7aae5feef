/// What an app's account at WeChat may say, by the names that the catalogue and the database have for it.
package enum WeChatSetting {
    /// Scheme and host of WeChat's API; WeChat's own where it is missing.
    package static let address = "address"
    /// A secret: the AppSecret of the app on the WeChat Open Platform.
    package static let appSecret = "appSecret"
}
