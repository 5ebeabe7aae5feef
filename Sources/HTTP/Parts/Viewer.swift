package import Operations
package import Storage
package import Words

/// The person who looks at a page, and the app that they look at.
package struct Viewer: Sendable {
    package var name: String
    package var role: StaffRole
    package var strings: Strings
    package var csrfToken: String
    package var theme: StaffTheme
    /// True if single keys do something (WCAG 2.1.4 asks for a way to turn that off).
    package var shortcuts: Bool
    package var app: ViewerApp
    /// Every app the person may look at.
    package var apps: [ViewerApp]
    /// The app's business time zone.
    package var zone: BusinessZone
    /// Refund requests of the app that wait for a decision; 100 stands for 100 or more.
    package var waitingRefunds: Int
    /// Failed notifications of the app; 100 stands for 100 or more.
    package var failedNotifications: Int
    /// The action that the person has just done, for the page that follows it.
    package var done: DoneAction?
    /// Another sentence that is said once.
    package var notice: Notice?
    /// Also apps that are still to come.
    package var seesAllApps = true
    package var assets: AssetPaths
    /// The answer's id in the log.
    package var requestID: String?
    /// The parts of the page's address that the page does not understand.
    package var ignored: [IgnoredParameter] = []
    /// The percent of a demo's data that is in; nil where nothing is being filled in.
    package var filling: Int?

    package init(
        name: String,
        role: StaffRole,
        strings: Strings,
        csrfToken: String,
        theme: StaffTheme,
        shortcuts: Bool,
        app: ViewerApp,
        apps: [ViewerApp],
        zone: BusinessZone,
        waitingRefunds: Int = 0,
        failedNotifications: Int,
        done: DoneAction? = nil,
        assets: AssetPaths = AssetPaths()
    ) {
        self.name = name
        self.role = role
        self.strings = strings
        self.csrfToken = csrfToken
        self.theme = theme
        self.shortcuts = shortcuts
        self.app = app
        self.apps = apps
        self.zone = zone
        self.waitingRefunds = waitingRefunds
        self.failedNotifications = failedNotifications
        self.done = done
        self.assets = assets
    }

    /// nil while there is no app.
    ///
    /// - Parameter browser: the language that the browser asks for; a person's own choice goes before it.
    package init?(
        session: StaffSession,
        browser: Language,
        csrfToken: String,
        done: DoneAction? = nil,
        assets: AssetPaths = AssetPaths()
    ) {
        guard let app = session.app else { return nil }
        self.init(
            name: session.name,
            role: session.role,
            strings: Strings(session.language ?? browser),
            csrfToken: csrfToken,
            theme: session.theme,
            shortcuts: session.shortcuts,
            app: ViewerApp(slug: app.slug, name: app.name),
            apps: session.apps.map { ViewerApp(slug: $0.slug, name: $0.name) },
            zone: .named(app.timeZone),
            waitingRefunds: session.waitingRefunds,
            failedNotifications: session.failedNotifications,
            done: done,
            assets: assets
        )
        seesAllApps = session.seesAllApps
    }

    /// A sentence that is said once on a page that was not asked for. Raw values stand in a cookie.
    package enum Notice: String, Sendable {
        /// The page of a list that was asked for is not there any more: this is the first.
        case startedOver = "started-over"
    }

    /// True if something is said once.
    package var hasFlash: Bool { done != nil || notice != nil }

    /// The same person, who is told what in the page's address the page does not understand.
    package func told(of ignored: [IgnoredParameter]) -> Viewer {
        var told = self
        told.ignored = ignored
        return told
    }

    package func may(_ permission: Permission) -> Bool {
        role.may(permission) && (seesAllApps || !permission.terms.needsAllApps)
    }
}

extension Viewer: PersonalDataReader {
    /// Analysts see customers' ids, never names or e-mail addresses.
    package var seesPersonalData: Bool { may(.viewPersonalData) }
}

package struct ViewerApp: Sendable, Hashable {
    package var slug: String
    package var name: String

    package init(slug: String, name: String) {
        self.slug = slug
        self.name = name
    }
}

/// The addresses of the pages' few files.
package struct AssetPaths: Sendable {
    package var stylesheet: String
    package var script: String
    /// Of the page on which customers pay.
    package var payScript: String
    package var icon: String

    package init(
        stylesheet: String = "/dashboard.css",
        script: String = "/dashboard.js",
        payScript: String = "/pay.js",
        icon: String = "/favicon.svg"
    ) {
        self.stylesheet = stylesheet
        self.script = script
        self.payScript = payScript
        self.icon = icon
    }
}
