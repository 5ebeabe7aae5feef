import Billing
import HTTP
import Operations
import Storage
import Words

/// The actions of staff and their reasons, as the audit log keeps them, in words.
enum ActionText {
    /// An action without its object and amount; one of a later version of the program by its name in the log.
    static func title(of action: String, _ strings: Strings) -> String {
        AuditAction(rawValue: action).map { name(of: $0, strings).description } ?? plain(action)
    }

    /// Returns the reason: what a person typed, with its category in the reader's language, or what the program itself says.
    static func reason(_ kept: String, of action: String, _ strings: Strings) -> String {
        if let cause = AuditCause(rawValue: kept) { return sentence(of: cause, strings).description }
        if action == AuditAction.denyAccess.rawValue { return denial(kept, strings) }
        guard let (word, text) = parts(of: kept), let category = Reason.Category(rawValue: word) else { return kept }
        return "\(strings.name(of: category)): \(text)"
    }

    /// Returns the sentence on an action that somebody tried and may not take.
    static func attempt(_ reason: String?, on type: String?, _ object: String, _ strings: Strings) -> String? {
        if type == "path" { return strings.entriesDeniedPage(path: object) }
        switch reason.flatMap({ parts(of: $0) }).flatMap({ AuditAction(rawValue: $0.word) }) {
        case .requestRefund: return strings.entriesDeniedRefundRequest(object: object)
        case .approveRefund: return strings.entriesDeniedRefundApprove(object: object)
        case .rejectRefund: return strings.entriesDeniedRefundReject(object: object)
        case .cancelRefund: return strings.entriesDeniedRefundCancel(object: object)
        case .processRefund: return strings.entriesDeniedRefundProcess(object: object)
        case .sendRefund: return strings.entriesDeniedRefundSend(object: object)
        case .settleRefund: return strings.entriesDeniedRefundSettle(object: object)
        default: return type == "staff" ? strings.entriesDeniedOwnAccount.description : nil
        }
    }

    static func name(of action: AuditAction, _ strings: Strings) -> StaticString {
        switch action {
        case .grantAccess: strings.timelineActionAccessGrant
        case .extendAccess: strings.timelineActionAccessExtend
        case .revokeAccess: strings.timelineActionAccessRevoke
        case .restoreAccess: strings.timelineActionAccessRestore
        case .changeTier: strings.timelineActionAccessChangeTier
        case .cancelAccess: strings.timelineActionAccessCancel
        case .undoAccess: strings.timelineActionAccessUndo
        case .transferSubscription: strings.timelineActionSubscriptionTransfer
        case .denyAccess: strings.timelineActionAccessDeny
        case .requestRefund: strings.entriesRefundRequest
        case .approveRefund: strings.entriesRefundApprove
        case .rejectRefund: strings.entriesRefundReject
        case .cancelRefund: strings.entriesRefundCancel
        case .processRefund: strings.entriesRefundProcess
        case .sendRefund: strings.entriesRefundSend
        case .settleRefund: strings.entriesRefundSettle
        case .confirmRefund: strings.entriesRefundConfirm
        case .declineRefund: strings.entriesRefundDecline
        case .changeRefund: strings.entriesRefundChange
        case .expireRefund: strings.entriesRefundExpire
        case .answerStore: strings.entriesRefundAnswer
        case .joinOrders: strings.entriesOrderJoin
        case .claimSeat: strings.entriesSeatClaim
        case .endSeat: strings.entriesSeatEnd
        case .extendRenewal: strings.entriesRenewalExtend
        case .extendRenewals: strings.entriesRenewalExtendAll
        case .giveConsent: strings.entriesConsentGive
        case .withdrawConsent: strings.entriesConsentWithdraw
        case .markTester: strings.entriesCustomerMarkTester
        case .unmarkTester: strings.entriesCustomerUnmarkTester
        case .raiseUsageLimit: strings.entriesUsageRaiseLimit
        case .restoreUsageLimit: strings.entriesUsageRestoreLimit
        case .resetUsage: strings.entriesUsageReset
        case .endCustomerSession: strings.entriesCustomerSessionEnd
        case .linkIdentity: strings.entriesIdentityLink
        case .refuseIdentity: strings.entriesIdentityRefuse
        case .endIdentity: strings.entriesIdentityEnd
        case .removeIdentity: strings.entriesIdentityRemove
        case .turnOnEmailRelay: strings.entriesIdentityEmailOn
        case .turnOffEmailRelay: strings.entriesIdentityEmailOff
        case .deleteCustomer: strings.entriesCustomerDelete
        case .addNote: strings.timelineNoteAdded
        case .withdrawNote: strings.timelineNoteWithdrawn
        case .requestBulk: strings.entriesBulkRequest
        case .sendBulk: strings.entriesBulkSend
        case .startBulk: strings.entriesBulkStart
        case .approveBulk: strings.entriesBulkApprove
        case .cancelBulk: strings.entriesBulkCancel
        case .finishBulk: strings.entriesBulkFinish
        case .undoBulk: strings.entriesBulkUndo
        case .finishUndoingBulk: strings.entriesBulkUndone
        case .exportBulk: strings.entriesBulkExport
        case .makePromoBatch: strings.entriesPromoCodeMake
        case .stopPromoBatch: strings.entriesPromoCodeStop
        case .resumePromoBatch: strings.entriesPromoCodeResume
        case .exportPromoCodes: strings.entriesPromoCodeExport
        case .redeemPromoCode: strings.entriesPromoCodeRedeem
        case .replayNotification: strings.entriesNotificationReplay
        case .retryQueue: strings.entriesQueueRetry
        case .requestReconciliation: strings.entriesReconciliationRequest
        case .noteBillDifference: strings.entriesBillDifferenceNote
        case .closeBillDifference: strings.entriesBillDifferenceClose
        case .closeCheckoutProblem: strings.entriesCheckoutClose
        case .requestTestNotification: strings.entriesStoreTest
        case .saveStoreKey: strings.entriesStoreKeySave
        case .removeStoreKey: strings.entriesStoreKeyRemove
        case .saveIssuerSecret: strings.entriesTokenIssuerSecretAdd
        case .removeIssuerSecret: strings.entriesTokenIssuerSecretRemove
        case .setAccountToken: strings.entriesStoreAccountToken
        case .reportExternalPurchase: strings.entriesExternalPurchaseReport
        case .exportList: strings.entriesListExport
        case .chooseColumns: strings.entriesListColumns
        case .saveView: strings.entriesViewSave
        case .changeView: strings.entriesViewChange
        case .deleteView: strings.entriesViewDelete
        case .addReport: strings.entriesReportAdd
        case .removeReport: strings.entriesReportRemove
        case .writeReport: strings.entriesReportWrite
        case .addStaff: strings.entriesStaffAdd
        case .inviteStaff: strings.entriesStaffInvite
        case .joinStaff: strings.entriesStaffJoin
        case .linkStaff: strings.entriesStaffLink
        case .setPassword: strings.entriesStaffPassword
        case .changeRole: strings.entriesStaffRole
        case .changeApps: strings.entriesStaffApps
        case .disableStaff: strings.entriesStaffDisable
        case .enableStaff: strings.entriesStaffEnable
        case .endStaffSessions: strings.entriesStaffEndSessions
        case .addDemoStaff: strings.entriesStaffDemo
        case .askSession: strings.entriesSessionAsk
        case .openSession: strings.entriesSessionOpen
        case .confirmSession: strings.entriesSessionConfirm
        case .closeSession: strings.entriesSessionClose
        case .endSession: strings.entriesSessionEnd
        case .endOtherSessions: strings.entriesSessionEndOthers
        case .refuseSession: strings.entriesSessionRefuse
        case .throttleSession: strings.entriesSessionThrottle
        case .beginTwoFactor: strings.entriesTwoFactorBegin
        case .turnOnTwoFactor: strings.entriesTwoFactorOn
        case .renewRecoveryCodes: strings.entriesTwoFactorCodes
        case .turnOffTwoFactor: strings.entriesTwoFactorOff
        case .removeTwoFactor: strings.entriesTwoFactorRemove
        case .issueCustomerToken: strings.entriesCustomerTokenIssue
        case .issueToken: strings.entriesTokenIssue
        case .revokeToken: strings.entriesTokenRevoke
        case .issueAppKey: strings.entriesAppKeyIssue
        case .revokeAppKey: strings.entriesAppKeyRevoke
        case .applyCatalog: strings.entriesCatalogApply
        case .importRates: strings.entriesRatesImport
        case .rebuildRollups: strings.entriesRollupsRebuild
        case .forgetSecret: strings.entriesSecretForget
        case .migrateSchema: strings.entriesSchemaMigrate
        case .makeBackup: strings.entriesBackupMake
        case .restoreBackup: strings.entriesBackupRestore
        case .upgradeCluster: strings.entriesClusterUpgrade
        case .fillDemo: strings.entriesDemoFill
        case .prepareDemoRefunds: strings.entriesDemoRefunds
        }
    }

    private static func sentence(of cause: AuditCause, _ strings: Strings) -> StaticString {
        switch cause {
        case .wrongPassword: strings.entriesWhyWrongSignIn
        case .wrongCode: strings.entriesWhyWrongCode
        case .wrongOwnPassword, .wrongOldPassword: strings.entriesWhyWrongPassword
        case .accountChanged: strings.entriesWhyAccountChanged
        case .tooManyFailures: strings.entriesWhyTooMany
        case .codeIsOwed: strings.entriesWhyCodeDue
        case .passwordSetAnew: strings.entriesWhyPasswordReset
        case .accountShut: strings.entriesWhyAccountShut
        }
    }

    /// Returns the reason of a denial; kept as "needs viewAudit" or "refund.approve: Your role may not do this."
    private static func denial(_ kept: String, _ strings: Strings) -> String {
        guard let (word, text) = parts(of: kept), let action = AuditAction(rawValue: word) else {
            return kept.hasPrefix("needs ") ? strings.entriesWhyRole.description : kept
        }
        switch action {
        case _ where text.contains("role may not"): return strings.entriesWhyRole.description
        case .approveRefund: return strings.entriesWhyOwnRequest.description
        case .cancelRefund: return strings.entriesWhyNotTheirs.description
        case .changeRole, .changeApps, .disableStaff, .removeTwoFactor: return strings.entriesWhyOwnAccount.description
        default: return text
        }
    }

    /// "goodwill: The reader crashed." in two.
    private static func parts(of kept: String) -> (word: String, text: String)? {
        let parts = kept.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        return (String(parts[0]), String(parts[1]))
    }

    /// "two_factor.remove" reads "Remove two factor".
    private static func plain(_ action: String) -> String {
        let parts = action.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let first = parts[1].first else { return action }
        let (noun, verb) = (parts[0].replacing("_", with: " "), first.uppercased() + parts[1].dropFirst())
        return "\(verb.replacing("_", with: " ")) \(noun)"
    }
}

extension ActionText {
    /// Returns the actor in words: a person or token by name, a store and the program's own parts in the reader's language.
    static func actor(_ name: String, role: StaffRole?, _ strings: Strings) -> String {
        guard role == nil else { return name }
        if let store = Store.known.first(where: { $0.rawValue == name }) { return StoreText.name(of: store, strings) }
        switch name {
        case "perennial": return "Perennial"
        case "unknown account": return strings.entriesActorUnknown.description
        case "customer": return strings.entriesActorCustomer.description
        case "command line": return strings.entriesActorCommandLine.description
        case _ where name.hasSuffix(Caller.commandLineMark):
            return strings.entriesActorCommandLineOf(user: String(name.dropLast(Caller.commandLineMark.count)))
        case "report": return strings.entriesActorReport.description
        case _: return name.hasPrefix("bulk job") ? strings.entriesActorBulk.description : name
        }
    }
}
