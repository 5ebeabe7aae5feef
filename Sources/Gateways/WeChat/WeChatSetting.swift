/// The settings of an app's account at WeChat, by their names in the catalogue and the database.
package enum WeChatSetting {
    /// Scheme and host of WeChat's API; WeChat's own if it is missing.
    package static let address = "address"
    /// A secret: the AppSecret of the app on the WeChat Open Platform.
    package static let appSecret = "appSecret"
}
