package import HTTP
package import Storage
package import Words

/// The settings that a person makes for themselves: `/dashboard/preferences`.
package struct PreferencesPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    /// True if a choice has just been kept.
    let isSaved: Bool
    let languages: [Choice]
    let themes: [Choice]
    let shortcuts: [Choice]
    /// The page itself, as it is after saving.
    let returnTo = DashboardPath.preferences + "?saved=yes"

    struct Choice: Sendable {
        var value: StaticString
        var label: StaticString
        /// The language that the label is in.
        var language: StaticString
        var isChosen: Bool
    }

    /// - Parameter language: the language that the person chose; nil for the one that the browser asks for.
    package init(viewer: Viewer, language: Language?, isSaved: Bool) {
        let strings = viewer.strings
        frame = DashboardFrame(viewer, section: .preferences, path: DashboardPath.preferences)
        self.isSaved = isSaved
        func choice(_ value: StaticString, _ label: StaticString, _ isChosen: Bool) -> Choice {
            Choice(value: value, label: label, language: strings.tag, isChosen: isChosen)
        }
        languages =
            [choice("", strings.preferencesLanguageOfBrowser, language == nil)]
            + Language.allCases.map { each in
                let own = Strings(each)
                return Choice(value: own.tag, label: own.ownName, language: own.tag, isChosen: language == each)
            }
        themes = [
            choice("system", strings.frameColoursSystem, viewer.theme == .system),
            choice("light", strings.frameColoursLight, viewer.theme == .light),
            choice("dark", strings.frameColoursDark, viewer.theme == .dark),
        ]
        shortcuts = [
            choice("on", strings.preferencesShortcutsOn, viewer.shortcuts),
            choice("off", strings.preferencesShortcutsOff, !viewer.shortcuts),
        ]
    }
}
