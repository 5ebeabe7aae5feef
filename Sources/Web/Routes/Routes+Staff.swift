import API
import Desk
import HTTP
import Hummingbird
import Operations

extension RouteBuilder {
    func addStaff(_ controllers: StaffControllers) {
        add(.get, DashboardPath.signInCode, for: .open, use: controllers.sessions.newCode)
        add(.post, DashboardPath.signInCode, for: .open, use: controllers.sessions.createCode)
        staff(.get, DashboardPath.identity, needs: nil, use: controllers.identity.new)
        staff(.post, DashboardPath.identity, needs: nil, use: controllers.identity.create)
        addAccount(controllers.account)
        addAudit(controllers.audit)
        addPeople(controllers.staff)
        addKeys(controllers.keys)
        add(.get, DashboardPath.welcome + "/{token}", for: .open, use: controllers.welcome.new)
        add(.post, DashboardPath.welcome + "/{token}", for: .open, use: controllers.welcome.create)
    }

    private func addPeople(_ people: StaffController) {
        staff(.get, DashboardPath.staff, needs: .manageStaff, use: people.index)
        staff(
            .get,
            DashboardPath.invitation,
            needs: .manageStaff,
            requiresReauthentication: true,
            use: people.newInvitation
        )
        staff(
            .post,
            DashboardPath.invitation,
            needs: .manageStaff,
            requiresReauthentication: true,
            use: people.createInvitation
        )
        staff(.get, StaffAction.pattern, needs: .manageStaff, use: people.show)
        for action in StaffAction.allCases {
            let path = "\(StaffAction.pattern)/\(action.rawValue)"
            staff(.get, path, needs: .manageStaff, requiresReauthentication: true, use: people.ask(action))
            staff(.post, path, needs: .manageStaff, requiresReauthentication: true, use: people.act(action))
        }
    }

    private func addKeys(_ keys: KeysController) {
        let (own, all) = (DashboardPath.accountKeys, DashboardPath.staffKeys)
        staff(.get, own, needs: nil, use: keys.index(.own))
        staff(.get, own + "/{id}", needs: nil, requiresReauthentication: true, use: keys.ask(.own))
        staff(.post, own + "/{id}", needs: nil, requiresReauthentication: true, use: keys.revoke(.own))
        staff(.get, all, needs: .manageStaff, use: keys.index(.everybody))
        staff(.get, all + "/{id}", needs: .manageStaff, requiresReauthentication: true, use: keys.ask(.everybody))
        staff(.post, all + "/{id}", needs: .manageStaff, requiresReauthentication: true, use: keys.revoke(.everybody))
    }

    /// Nothing in the log is changed, so there is no route that does.
    private func addAudit(_ audit: AuditController) {
        staff(.get, DashboardPath.audit, needs: .viewAudit, use: audit.index)
        staff(.post, DashboardPath.auditExports, needs: .viewAudit, use: audit.export)
        staff(.get, DashboardPath.audit + "/{id}", needs: .viewAudit, use: audit.show)
    }

    private func addAccount(_ account: AccountController) {
        staff(.get, DashboardPath.account, needs: nil, use: account.show)
        staff(.post, DashboardPath.accountPassword, needs: nil, use: account.changePassword)
        staff(.post, DashboardPath.endedSessions, needs: nil, use: account.endSessions)
        staff(.get, DashboardPath.twoFactor, needs: nil, requiresReauthentication: true, use: account.twoFactor)
        staff(.post, DashboardPath.twoFactor, needs: nil, requiresReauthentication: true, use: account.beginTwoFactor)
        staff(
            .post,
            DashboardPath.twoFactorCode,
            needs: nil,
            requiresReauthentication: true,
            use: account.confirmTwoFactor
        )
        staff(
            .post,
            DashboardPath.recoveryCodes,
            needs: nil,
            requiresReauthentication: true,
            use: account.renewRecoveryCodes
        )
        // Takes both factors itself.
        staff(.get, DashboardPath.twoFactorRemoval, needs: nil, use: account.newRemoval)
        staff(.post, DashboardPath.twoFactorRemoval, needs: nil, use: account.createRemoval)
    }
}
