package import HTTP
package import Storage
package import Words

/// The page of help: `/dashboard/help`, the same for everybody.
package struct HelpPage: Sendable {
    package let strings: Strings
    let assets: AssetPaths
    let theme: String?

    package init(strings: Strings, theme: StaffTheme = .system, assets: AssetPaths = AssetPaths()) {
        self.strings = strings
        self.assets = assets
        self.theme = theme == .system ? nil : theme.rawValue
    }
}
