package import Billing
package import Foundation

/// The App Store, as far as it does something for an app when it is asked.
package struct AppleStoreServer: StoreServer {
    private let api: AppleServerAPI

    package init(_ api: AppleServerAPI) {
        self.api = api
    }

    /// Send Consumption Information, version 2. What was bought counts as delivered: what never was is refunded by staff.
    package func answer(
        _ answer: StoreAnswer,
        about transactionID: String,
        in environment: StoreEnvironment
    ) async throws(StoreFailure) {
        let consumption = AppleConsumption(
            customerConsented: true,
            sampleContentProvided: answer.providesSamples,
            deliveryStatus: .delivered,
            consumptionPercentage: answer.percentage.map { Int64($0) },
            refundPreference: AppleConsumption.RefundPreference(answer.preference)
        )
        do {
            _ = try await api.sendConsumption(consumption, of: transactionID, in: environment)
        } catch {
            throw StoreFailure(error)
        }
    }

    package func extend(
        _ originalTransactionID: String,
        by length: StoreExtension,
        in environment: StoreEnvironment
    ) async throws(StoreFailure) -> Date? {
        let answer: AppleExtendedRenewal
        do {
            answer = try await api.extend(originalTransactionID, by: AppleExtension(length), in: environment).content
        } catch {
            throw StoreFailure(error)
        }
        guard answer.isSuccess else {
            throw .refused(
                StoreRefusal(
                    GatewayError(
                        .malformed,
                        "The App Store Server API did not extend the subscription, and says no reason."
                    )
                )
            )
        }
        return answer.effectiveDate
    }

    package func extendAll(
        subscribersTo productID: String,
        by length: StoreExtension,
        storefronts: [String]?,
        in environment: StoreEnvironment
    ) async throws(StoreFailure) {
        do {
            _ = try await api.extendAll(
                subscribersTo: productID,
                by: AppleExtension(length),
                storefronts: storefronts,
                in: environment
            )
        } catch {
            throw StoreFailure(error)
        }
    }

    package func progress(
        of id: UUID,
        forProduct productID: String,
        in environment: StoreEnvironment
    ) async throws(StoreFailure) -> StoreExtensionCounts? {
        let status: AppleMassExtensionStatus
        do {
            status = try await api.extensionStatus(
                of: productID,
                requestIdentifier: id.uuidString.lowercased(),
                in: environment
            ).content
        } catch {
            throw StoreFailure(error)
        }
        guard status.isComplete else { return nil }
        return StoreExtensionCounts(succeeded: status.succeededCount, failed: status.failedCount)
    }
}

extension AppleExtension {
    fileprivate init(_ length: StoreExtension) {
        self.init(
            days: Int64(length.days),
            reason: Reason(rawValue: length.reason.rawValue) ?? .undeclared,
            requestIdentifier: length.id.uuidString.lowercased()
        )
    }
}

extension AppleConsumption.RefundPreference {
    fileprivate init(_ preference: RefundPreference) {
        self =
            switch preference {
            case .grantFull: .grantFull
            case .grantProrated: .grantProrated
            case .decline: .decline
            }
    }
}
