import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

/// An audit entry in words: a sentence with its object and amount, and the fields before and after.
///
/// The audit log keeps before and after as texts; here they are read back and said in the reader's language and the
/// app's time zone.
struct ActionFacts: Sendable {
    let action: String
    let objectType: String?
    let objectID: String?
    let before: AuditSide
    let after: AuditSide
    let role: StaffRole?
    let reason: String?
    let refunds: RefundText
    let viewer: Viewer

    var strings: Strings { refunds.strings }

    init(_ row: AuditRow, _ viewer: Viewer) {
        (action, objectType, objectID, role) = (row.action, row.objectType, row.objectID, row.role)
        (before, after) = (AuditSide(row.before?.shown(to: viewer)), AuditSide(row.after?.shown(to: viewer)))
        reason = row.reason?.shown(to: viewer)
        (refunds, self.viewer) = (RefundText(viewer, now: row.at), viewer)
    }

    init(_ done: Timeline.Action, at moment: Date, _ viewer: Viewer) {
        (action, objectType, objectID, role) = (done.action, done.objectType, done.objectID, done.role)
        (before, after) = (AuditSide(done.before?.shown(to: viewer)), AuditSide(done.after?.shown(to: viewer)))
        reason = done.reason?.shown(to: viewer)
        (refunds, self.viewer) = (RefundText(viewer, now: moment), viewer)
    }

    /// "Granted PRO until 31 Dec 2026 10:30 UTC+8"; without its object and amount where the entry does not say them, or
    /// its reader may not read them.
    var sentence: String {
        AuditAction(rawValue: action).flatMap { detailed($0) } ?? ActionText.title(of: action, strings)
    }

    private func detailed(_ action: AuditAction) -> String? {
        switch action {
        case .grantAccess, .extendAccess, .revokeAccess, .restoreAccess, .changeTier, .transferSubscription:
            access(action)
        case .denyAccess: ActionText.attempt(reason, on: objectType, objectID ?? "", strings)
        case .requestRefund, .approveRefund, .rejectRefund, .cancelRefund, .processRefund, .confirmRefund,
            .declineRefund, .changeRefund, .expireRefund, .answerStore, .sendRefund, .settleRefund:
            objectID.flatMap { refund(action, $0) }
        case .requestBulk, .finishBulk, .finishUndoingBulk, .exportBulk: bulk(action)
        case .exportList, .chooseColumns, .saveView, .changeView, .deleteView, .addReport, .removeReport, .writeReport:
            list(action)
        case .addStaff, .inviteStaff, .linkStaff, .setPassword, .changeRole, .changeApps, .disableStaff, .enableStaff,
            .endStaffSessions, .addDemoStaff, .removeTwoFactor, .issueToken, .revokeToken:
            (value("email") ?? value("of") ?? demoAccount).flatMap { staff(action, $0) }
        case .raiseUsageLimit, .restoreUsageLimit, .resetUsage: usage(action)
        case .issueAppKey: value("name").map { strings.entriesAppKeyIssueOf(name: $0) }
        case .revokeAppKey: value("name").map { strings.entriesAppKeyRevokeOf(name: $0) }
        case .makePromoBatch: value("name").map { strings.entriesPromoCodeMakeOf(name: $0) }
        case .stopPromoBatch: value("name").map { strings.entriesPromoCodeStopOf(name: $0) }
        case .resumePromoBatch: value("name").map { strings.entriesPromoCodeResumeOf(name: $0) }
        case .redeemPromoCode: redeemedPromoCode
        case .openSession:
            switch after["second factor"].flatMap(SecondProof.init(rawValue:)) {
            case .code: strings.entriesSessionOpenCode.description
            case .recoveryCode: strings.entriesSessionOpenRecovery.description
            case nil: nil
            }
        case .endOtherSessions: count("ended").map { strings.entriesSessionEndOthersOf(count: $0) }
        case .endCustomerSession: count("ended").map { strings.entriesCustomerSessionEndOf(count: $0) }
        case .retryQueue:
            if let count = count("count"), let queue = value("queue").flatMap(QueueName.init(rawValue:)) {
                strings.entriesQueueRetryOf(count: count, queue: QueueText.name(of: queue, strings).description)
            } else {
                nil
            }
        case .forgetSecret:
            before["second_factors"].flatMap { Int($0) }.map { strings.entriesSecretForgetOf(count: $0) }
        case .applyCatalog: objectID.map { strings.entriesCatalogApplyOf(app: $0) }
        case .rebuildRollups: objectID.map { strings.entriesRollupsRebuildOf(app: $0) }
        case .importRates: value("rates").flatMap { Int($0) }.map { strings.entriesRatesImportOf(count: $0) }
        case .migrateSchema: count("migrations").map { strings.entriesSchemaMigrateOf(count: $0) }
        case .upgradeCluster: value("postgresql").map { strings.entriesClusterUpgradeOf(version: $0) }
        case .fillDemo: objectID.map { strings.entriesDemoFillOf(app: $0) }
        case .prepareDemoRefunds: objectID.map { strings.entriesDemoRefundsOf(app: $0) }
        case .cancelAccess, .undoAccess, .addNote, .withdrawNote, .giveConsent, .withdrawConsent, .linkIdentity,
            .markTester, .unmarkTester,
            .refuseIdentity, .endIdentity, .removeIdentity, .turnOnEmailRelay, .turnOffEmailRelay, .deleteCustomer,
            .joinOrders, .extendRenewal, .claimSeat, .endSeat,
            .extendRenewals, .sendBulk, .startBulk, .approveBulk, .cancelBulk, .undoBulk, .replayNotification,
            .exportPromoCodes, .requestReconciliation, .noteBillDifference, .closeBillDifference,
            .closeCheckoutProblem,
            .requestTestNotification, .saveStoreKey, .removeStoreKey,
            .saveIssuerSecret, .removeIssuerSecret, .setAccountToken,
            .reportExternalPurchase, .issueCustomerToken, .joinStaff, .askSession, .confirmSession,
            .closeSession, .endSession, .makeBackup, .restoreBackup,
            .refuseSession, .throttleSession, .beginTwoFactor, .turnOnTwoFactor, .renewRecoveryCodes, .turnOffTwoFactor:
            nil
        }
    }

    private var redeemedPromoCode: String? {
        guard let name = value("name"), let plan = value("plan"),
            let end = value("until").flatMap({ Date(rfc3339: $0) })
        else { return nil }
        return strings.entriesPromoCodeRedeemOf(date: refunds.moment(end), name: name, plan: plan)
    }

    // MARK: Access

    private func access(_ action: AuditAction) -> String? {
        switch action {
        case .grantAccess:
            grant(in: after).map { grant in
                grant.end.map { strings.timelineGranted(date: refunds.moment($0), plan: grant.plan) }
                    ?? strings.timelineGrantedForGood(plan: grant.plan)
            }
        case .extendAccess:
            grant(in: after).flatMap { grant in
                grant.end.map { strings.timelineExtendedUntil(date: refunds.moment($0), plan: grant.plan) }
            }
        case .revokeAccess: (before["plan"] ?? grant(in: before)?.plan).map { strings.timelineRevokedPlan(plan: $0) }
        case .restoreAccess: (after["plan"] ?? grant(in: after)?.plan).map { strings.timelineRestoredPlan(plan: $0) }
        case .changeTier:
            if let old = before["plan"], let new = after["plan"] {
                strings.timelineChangedPlan(after: new, before: old)
            } else {
                nil
            }
        case .transferSubscription:
            after.fields.first { $0.hasPrefix("holder of ") }.flatMap { after[$0] }.map {
                strings.timelineTransferredTo(customer: $0)
            }
        default: nil
        }
    }

    /// The plan and end of the grant that one side tells of.
    private func grant(in side: AuditSide) -> (plan: String, end: Date?)? {
        for name in side.fields {
            guard let field = FieldChange.Field(name: name), case .grant = field, let text = side[name],
                case .span(let plan, _, let end)? = FieldChange.Value(text: text, of: field)
            else { continue }
            return (plan, end)
        }
        return nil
    }

    private func usage(_ action: AuditAction) -> String? {
        guard let feature = value("feature"),
            let window = value("window").flatMap(UsageWindow.init(rawValue:)).map({
                UsageActionText.name(of: $0, strings).description
            })
        else { return nil }
        func number(_ field: String, in side: AuditSide) -> String? {
            side[field].flatMap { Int($0) }.map { strings.number($0) }
        }
        return switch action {
        case .raiseUsageLimit:
            number("limit", in: after).map {
                strings.entriesUsageRaiseLimitOf(feature: feature, limit: $0, window: window)
            }
        case .restoreUsageLimit:
            number("limit", in: after).map {
                strings.entriesUsageRestoreLimitOf(feature: feature, limit: $0, window: window)
            }
        case .resetUsage:
            number("used", in: before).map {
                strings.entriesUsageResetOf(feature: feature, used: $0, window: window)
            }
        default: nil
        }
    }

    // MARK: Refunds

    private func refund(_ action: AuditAction, _ number: String) -> String? {
        let refund = refund(number)
        return switch action {
        case .requestRefund: strings.timelineActionRefundRequest(refund: refund)
        case .approveRefund: strings.timelineActionRefundApprove(refund: refund)
        case .rejectRefund: strings.timelineActionRefundReject(refund: refund)
        case .cancelRefund: strings.timelineActionRefundCancel(refund: refund)
        // Nobody marks a refund that a store paid.
        case .processRefund:
            role == nil
                ? strings.entriesRefundPaidOf(refund: refund) : strings.timelineActionRefundProcess(refund: refund)
        case .expireRefund: strings.timelineActionRefundExpire(refund: refund)
        case .confirmRefund: strings.entriesRefundConfirmOf(refund: refund)
        case .declineRefund: strings.entriesRefundDeclineOf(refund: refund)
        case .changeRefund: strings.entriesRefundChangeOf(refund: refund)
        case .answerStore: strings.entriesRefundAnswerOf(refund: refund)
        case .sendRefund: strings.timelineActionRefundSend(refund: refund)
        case .settleRefund: strings.timelineActionRefundSettle(refund: refund)
        default: nil
        }
    }

    /// "RF-000077, 31.20 CNY"
    private func refund(_ number: String) -> String {
        let amounts = ["processedAmount", "approvedAmount", "requestedAmount"].compactMap { value($0) }
        guard let text = amounts.first, let amount = self.amount(text) else { return number }
        return strings.timelineRefund(amount: amount, number: number)
    }

    /// "31.20 CNY"
    func amount(_ text: String) -> String? {
        guard let code = value("currency"), let currency = Currency(code),
            let money = try? Money(decimalText: text, currency: currency)
        else { return nil }
        return refunds.amount(money)
    }

    // MARK: Jobs, lists and reports

    private func bulk(_ action: AuditAction) -> String? {
        switch action {
        case .requestBulk:
            if let count = count("lines"), let kind = after["kind"].flatMap(BulkJob.Kind.init(rawValue:)) {
                strings.entriesBulkRequestOf(count: count, kind: BulkText.name(of: kind, strings))
            } else {
                nil
            }
        case .finishBulk: count(BulkJobItem.State.applied.rawValue).map { strings.entriesBulkFinishOf(count: $0) }
        case .finishUndoingBulk:
            count(BulkJobItem.State.undone.rawValue).map { strings.entriesBulkUndoneOf(count: $0) }
        case .exportBulk: count("rows").map { strings.entriesBulkExportOf(count: $0) }
        default: nil
        }
    }

    private func list(_ action: AuditAction) -> String? {
        let name = value("name") ?? ""
        switch action {
        case .exportList:
            if let objectID, let count = count("rows") {
                return strings.entriesListExportOf(count: count, list: AuditObject.list(objectID, strings))
            }
            return nil
        case .chooseColumns:
            return objectID.map { strings.entriesListColumnsOf(list: AuditObject.list($0, strings)) }
        case .addReport: return objectID.map { strings.entriesReportAddOf(name: $0) }
        case .removeReport: return objectID.map { strings.entriesReportRemoveOf(name: $0) }
        case .writeReport:
            guard let objectID, let count = count("rows") else { return nil }
            return strings.entriesReportWriteOf(count: count, name: objectID)
        case _: break
        }
        guard let list = value("list").map({ AuditObject.list($0, strings) }), !name.isEmpty else { return nil }
        return switch action {
        case .saveView: strings.entriesViewSaveOf(list: list, name: name)
        case .changeView: strings.entriesViewChangeOf(list: list, name: name)
        case .deleteView: strings.entriesViewDeleteOf(list: list, name: name)
        default: nil
        }
    }

    // MARK: Staff

    /// Demo accounts are named by their address.
    private var demoAccount: String? { objectID.flatMap { $0.contains("@") ? $0 : nil } }

    private func staff(_ action: AuditAction, _ person: String) -> String? {
        func role(_ side: AuditSide) -> String? {
            side["role"].flatMap(StaffRole.init(rawValue:)).map { strings.name(of: $0).description }
        }
        return switch action {
        case .addStaff: role(after).map { strings.entriesStaffAddOf(person: person, role: $0) }
        case .inviteStaff: role(after).map { strings.entriesStaffInviteOf(person: person, role: $0) }
        case .linkStaff: strings.entriesStaffLinkOf(person: person)
        case .setPassword: strings.entriesStaffPasswordOf(person: person)
        case .changeRole:
            if let old = role(before), let new = role(after) {
                strings.entriesStaffRoleOf(after: new, before: old, person: person)
            } else {
                nil
            }
        case .changeApps: strings.entriesStaffAppsOf(person: person)
        case .disableStaff: strings.entriesStaffDisableOf(person: person)
        case .enableStaff: strings.entriesStaffEnableOf(person: person)
        case .endStaffSessions: strings.entriesStaffEndSessionsOf(person: person)
        case .addDemoStaff: strings.entriesStaffDemoOf(person: person)
        case .removeTwoFactor: strings.entriesTwoFactorRemoveOf(person: person)
        case .issueToken: value("name").map { strings.entriesTokenIssueOf(name: $0, person: person) }
        case .revokeToken: value("name").map { strings.entriesTokenRevokeOf(name: $0, person: person) }
        default: nil
        }
    }

    // MARK: Values

    /// A field as it is after, or was before.
    func value(_ field: String) -> String? { after[field] ?? before[field] }

    private func count(_ field: String) -> Int? { after[field].flatMap { Int($0) } }
}
