import Operations

/// What staff did and why, as the audit log keeps it, in words.
enum ActionText {
    static func title(of action: String, _ strings: Strings) -> String {
        name(of: action, strings)?.description ?? plain(action)
    }

    /// "goodwill: The reader crashed." begins with the category's name in the reader's language.
    static func reason(_ kept: String, _ strings: Strings) -> String {
        guard let colon = kept.firstRange(of: ": "),
            let category = Reason.Category(rawValue: String(kept[..<colon.lowerBound]))
        else { return kept }
        return "\(strings.name(of: category)): \(kept[colon.upperBound...])"
    }

    private static func name(of action: String, _ strings: Strings) -> StaticString? {
        switch action {
        case "note.add": strings.timelineNoteAdded
        case "note.withdraw": strings.timelineNoteWithdrawn
        case "access.grant": strings.timelineActionAccessGrant
        case "access.extend": strings.timelineActionAccessExtend
        case "access.revoke": strings.timelineActionAccessRevoke
        case "access.restore": strings.timelineActionAccessRestore
        case "access.change_tier": strings.timelineActionAccessChangeTier
        case "access.cancel": strings.timelineActionAccessCancel
        case "access.undo": strings.timelineActionAccessUndo
        case "access.deny": strings.timelineActionAccessDeny
        case "subscription.transfer": strings.timelineActionSubscriptionTransfer
        case _: nil
        }
    }

    /// "two_factor.remove" reads "Remove two factor".
    private static func plain(_ action: String) -> String {
        let parts = action.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let first = parts[1].first else { return action }
        let (noun, verb) = (parts[0].replacing("_", with: " "), first.uppercased() + parts[1].dropFirst())
        return "\(verb.replacing("_", with: " ")) \(noun)"
    }
}
