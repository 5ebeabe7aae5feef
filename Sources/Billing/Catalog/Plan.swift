/// A level of access that an app sells; a higher rank includes what the lower ones give.
package struct Plan: Hashable, Sendable, Codable {
    /// The app's own spelling: `PRO`, `premium`.
    package var code: String
    /// 0 for the plan everyone has.
    package var rank: Int

    package init(code: String, rank: Int) {
        self.code = code
        self.rank = rank
    }
}
