package import HTTP
package import Storage
package import Words

/// An error as a signed-in person sees it.
package struct ErrorPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    package let error: ErrorText

    /// - Parameter path: the address that failed; forms of the frame lead back there when it may be opened.
    package init(_ text: ErrorText, viewer: Viewer, path: String) {
        frame = DashboardFrame(viewer, section: .none, path: path)
        error = text
    }
}

/// An error where nobody is signed in.
package struct BareErrorPage: Sendable {
    package let strings: Strings
    package let assets: AssetPaths
    package let theme: String?
    package let error: ErrorText

    package init(
        _ text: ErrorText,
        theme: StaffTheme = .system,
        assets: AssetPaths = AssetPaths()
    ) {
        strings = text.strings
        self.assets = assets
        self.theme = theme == .system ? nil : theme.rawValue
        error = text
    }
}
