/// An account of the simulated Alipay.
package struct SimulatedAlipayAccount: Hashable, Sendable {
    /// nil for an app of the old kind, which is told the user_id alone.
    package var openID: String?
    package var userID: String?
    package var nickname: String?
    package var avatarURL: String?

    package init(openID: String? = nil, userID: String? = nil, nickname: String? = nil, avatarURL: String? = nil) {
        self.openID = openID
        self.userID = userID
        self.nickname = nickname
        self.avatarURL = avatarURL
    }
}
