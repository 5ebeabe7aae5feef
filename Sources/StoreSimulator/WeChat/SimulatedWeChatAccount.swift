import Gateways

/// An account of the simulated WeChat.
package struct SimulatedWeChatAccount: Hashable, Sendable {
    /// The person's id within the app.
    package var openID: String
    /// The person's id across the apps of one developer; nil where the app is bound to no account of the Open Platform.
    package var unionID: String?
    package var nickname: String
    package var avatarURL: String?

    package init(openID: String, unionID: String? = nil, nickname: String = "", avatarURL: String? = nil) {
        self.openID = openID
        self.unionID = unionID
        self.nickname = nickname
        self.avatarURL = avatarURL
    }

    var profile: JSON {
        var json: JSON = [
            "openid": .string(openID), "nickname": .string(nickname), "sex": 0, "language": "zh_CN", "city": "",
            "province": "", "country": "", "headimgurl": .string(avatarURL ?? ""), "privilege": [],
        ]
        if let unionID { json["unionid"] = .string(unionID) }
        return json
    }
}
