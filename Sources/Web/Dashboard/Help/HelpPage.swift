package import Storage

/// Where help is: `/dashboard/help`, the same page for everybody.
package struct HelpPage: Sendable {
    package let words: Words
    let assets: AssetPaths
    let theme: String?

    package init(words: Words, theme: StaffTheme = .system, assets: AssetPaths = AssetPaths()) {
        self.words = words
        self.assets = assets
        self.theme = theme == .system ? nil : theme.rawValue
    }
}
