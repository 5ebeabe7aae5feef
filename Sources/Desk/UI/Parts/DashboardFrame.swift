import Foundation
import HTTP
import Operations
import Storage
import Words

/// The frame of every page of a signed-in person.
struct DashboardFrame: Sendable {
    var strings: Strings
    var assets: AssetPaths
    /// The theme that the page is drawn in; nil: as the system has it.
    var theme: String?
    var chosenTheme: Theme
    var shortcuts: Bool
    var section: Section
    /// True if this person sees metrics.
    var hasMetrics: Bool
    /// Refund requests that wait for a decision, "3" or "99+"; nil when none.
    var waitingRefunds: String?
    /// The languages, each by its own name.
    var languages: [LanguageChoice]
    var maySeeStaff: Bool
    var maySeeAudit: Bool
    /// True if this person may work on many customers at once.
    var hasBulk: Bool
    /// Failed notifications, "2" or "99+"; nil when none.
    var failed: String?
    var appName: String
    var zoneLabel: String
    var zoneName: String
    var apps: [AppChoice]
    var canSwitchApp: Bool
    var personName: String
    var role: StaticString
    var csrfToken: String
    /// The address that a form of the frame leads back to.
    var returnTo: String
    var search: String
    var searchLabel: StaticString
    var searchHint: StaticString
    /// The sentences on the parts of its address that the page does not understand.
    var ignored: [String]
    /// The action that was just done.
    var flash: FlashText?
    /// Another sentence that is said once.
    var notice: StaticString?
    /// The answer's id in the log, for a person who asks about a problem.
    var requestID: String?
    /// The age of what the page shows, where a replica is behind; nil while it is of now.
    var staleness: String?
    /// The percent of the demo's data that was in when the page was made; nil where all of it is.
    var filling: String?
    /// On paper only: which app, who, which page, when.
    var printed: String

    struct LanguageChoice: Sendable {
        var tag: StaticString
        var name: StaticString
        var isSpoken: Bool
    }

    struct AppChoice: Sendable {
        var slug: String
        var name: String
        var isCurrent: Bool
    }

    /// The theme that the person has chosen.
    enum Theme {
        case system
        case light
        case dark

        init(_ theme: StaffTheme) {
            switch theme {
            case .system: self = .system
            case .light: self = .light
            case .dark: self = .dark
            }
        }
    }

    enum Section {
        case overview
        case revenue
        case subscribers
        case cohorts
        case access
        case usage
        case ledger
        case serviceHealth
        case orders
        case refunds
        case customers
        case subscriptions
        case promoCodes
        case notifications
        case queues
        case sync
        case stores
        case externalPurchases
        case preferences
        case account
        case staff
        case audit
        case bulk
        case none
    }

    /// - Parameters:
    ///   - path: the page's own address.
    ///   - search: the text in the search box.
    ///   - now: the moment the page is made; a page without times does not say it.
    init(_ viewer: Viewer, section: Section, path: String, search: String = "", now: Date? = nil) {
        strings = viewer.strings
        assets = viewer.assets
        theme = viewer.theme == .system ? nil : viewer.theme.rawValue
        chosenTheme = Theme(viewer.theme)
        shortcuts = viewer.shortcuts
        self.section = section
        hasMetrics = viewer.may(.viewMetrics)
        waitingRefunds = Self.count(viewer.waitingRefunds)
        languages = Self.languages(spoken: viewer.strings.language)
        maySeeStaff = viewer.may(.manageStaff)
        maySeeAudit = viewer.may(.viewAudit)
        failed = Self.count(viewer.failedNotifications)
        hasBulk = viewer.role.may(.runBulkJobs)
        appName = viewer.app.name
        zoneLabel = viewer.zone.label
        zoneName = viewer.zone.name
        apps = viewer.apps.map { AppChoice(slug: $0.slug, name: $0.name, isCurrent: $0.slug == viewer.app.slug) }
        canSwitchApp = viewer.apps.count > 1
        personName = viewer.name
        role = strings.name(of: viewer.role)
        csrfToken = viewer.csrfToken
        returnTo = DashboardPath.safe(path) ?? DashboardPath.home
        ignored = IgnoredText.sentences(viewer.ignored, viewer.strings)
        flash = viewer.done.map { FlashText($0, viewer.strings) }
        notice = viewer.notice.map { $0.sentence(viewer.strings) }
        requestID = viewer.requestID
        staleness = Self.staleness(strings)
        filling = viewer.filling.map { percent in
            viewer.strings.frameFilling(percent: viewer.strings.percent(Int64(percent), places: 0))
        }
        self.search = search
        searchLabel =
            viewer.seesPersonalData
            ? strings.frameSearchEverything : strings.frameSearchOrders
        let moment = now.map { " · " + DateText.full($0, in: viewer.zone, viewer.strings) } ?? ""
        printed = "\(viewer.app.name) · \(viewer.name), \(role) · \(returnTo)\(moment)"
        searchHint = viewer.seesPersonalData ? strings.frameSearchHintEverything : strings.frameSearchHintOrders
    }

    /// A second or two are the time between two looks at the replica.
    private static func staleness(_ strings: Strings) -> String? {
        guard let age = RequestReads.current?.age, age >= .seconds(5) else { return nil }
        return strings.frameStaleness(count: Int(clamping: age.components.seconds)).description
    }

    private static func languages(spoken: Language) -> [LanguageChoice] {
        Language.allCases.map { language in
            let strings = Strings(language)
            return LanguageChoice(tag: strings.tag, name: strings.ownName, isSpoken: language == spoken)
        }
    }

    /// nil for none; what was counted up to 100 is "99+" there.
    private static func count(_ number: Int) -> String? {
        switch number {
        case ..<1: nil
        case ..<100: String(number)
        case _: "99+"
        }
    }
}

extension Viewer.Notice {
    fileprivate func sentence(_ strings: Strings) -> StaticString {
        switch self {
        case .startedOver: strings.listsStartedOver
        }
    }
}
