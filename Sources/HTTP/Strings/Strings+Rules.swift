package import Billing
import Words

extension Strings {
    /// Returns the reason why an action of staff is not possible.
    package func sentence(of code: ActionRefused.Code) -> StaticString {
        switch code {
        case .planIsFree: accessRejectionFree
        case .changesNothing: accessRejectionNothing
        case .daysOutOfRange: accessRejectionDays
        case .endOutOfRange: accessRejectionEnd
        case .aboveLimit: accessRejectionAbove
        case .nothingRuns: accessRejectionNothingRuns
        case .notHeld: accessRejectionNotHeld
        case .hasNoEnd: accessRejectionNoEnd
        case .isOver: accessRejectionOver
        case .alreadyRevoked: accessRejectionRevoked
        case .notRevoked: accessRejectionNotRevoked
        case .isSeat: accessRejectionIsSeat
        case .notAbovePaid: accessRejectionNotAbove
        case .samePlan: accessRejectionSamePlan
        case .sameCustomer: accessRejectionSameCustomer
        case .onlyAtStore: accessRejectionOnlyAtStore
        case .nothingFollows: accessRejectionNothingFollows
        case .changedSince: accessRejectionChanged
        }
    }
}
