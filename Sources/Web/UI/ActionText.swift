import Operations

/// What staff did and why, as the audit log keeps it, in words.
enum ActionText {
    static func title(of action: String, _ words: Words) -> String {
        name(of: action, words)?.description ?? plain(action)
    }

    /// "goodwill: The reader crashed." begins with the category's name in the reader's language.
    static func reason(_ kept: String, _ words: Words) -> String {
        guard let colon = kept.firstRange(of: ": "),
            let category = Reason.Category(rawValue: String(kept[..<colon.lowerBound]))
        else { return kept }
        return "\(words.name(of: category)): \(kept[colon.upperBound...])"
    }

    private static func name(of action: String, _ words: Words) -> StaticString? {
        switch action {
        case "note.add": words.timelineNoteAdded
        case "note.withdraw": words.timelineNoteWithdrawn
        case "refund.request": words.timelineActionRefundRequest
        case "refund.approve": words.timelineActionRefundApprove
        case "refund.reject": words.timelineActionRefundReject
        case "refund.cancel": words.timelineActionRefundCancel
        case "refund.process": words.timelineActionRefundProcess
        case "refund.expire": words.timelineActionRefundExpire
        case "access.grant": words.timelineActionAccessGrant
        case "access.extend": words.timelineActionAccessExtend
        case "access.revoke": words.timelineActionAccessRevoke
        case "access.restore": words.timelineActionAccessRestore
        case "access.change_tier": words.timelineActionAccessChangeTier
        case "access.cancel": words.timelineActionAccessCancel
        case "access.undo": words.timelineActionAccessUndo
        case "subscription.transfer": words.timelineActionSubscriptionTransfer
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
