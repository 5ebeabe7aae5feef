package import Billing
import Crypto
package import Foundation

extension WeChatPay: BillSource {
    package var billZone: TimeZone { WeChatPayTime.zone }
    /// Made by ten in the morning of the next day.
    package var billDelay: TimeInterval { 36_000 }

    package func bill(of day: BusinessDay) async throws(StoreFailure) -> StoreBill? {
        let query = [("bill_date", "\(day)"), ("bill_type", "ALL")]
        switch try await file(of: day, WeChatPayCall(.tradeBill, "/v3/bill/tradebill", query: query)) {
        case .notYet: return nil
        case .none: return StoreBill(rows: [], isWhole: true)
        case .file(let bytes): return StoreBill(tradeBill: bytes)
        }
    }

    /// All that moved the merchant's balance on one day in Shanghai.
    ///
    /// - Returns: nil before WeChat Pay has made it.
    package func fundBill(of day: BusinessDay) async throws(StoreFailure) -> WeChatPayFundBill? {
        let query = [("bill_date", "\(day)"), ("account_type", "BASIC")]
        switch try await file(of: day, WeChatPayCall(.fundFlowBill, "/v3/bill/fundflowbill", query: query)) {
        case .notYet: return nil
        case .none: return WeChatPayFundBill.empty
        case .file(let bytes): return WeChatPayFundBill(bytes)
        }
    }

    private enum BillFile: Sendable {
        case notYet
        /// Nothing happened on that day.
        case none
        case file([UInt8])
    }

    /// Asks where the file is, gets it, and believes it by its hash.
    private func file(of day: BusinessDay, _ call: WeChatPayCall) async throws(StoreFailure) -> BillFile {
        let made = day.end(in: billZone).addingTimeInterval(billDelay)
        guard client.clock.now() >= made else { return .notYet }
        let place: (target: String, hash: String)
        do {
            place = try await client.ask(call) { json throws(GatewayError) in try self.place(json) }
        } catch {
            if error.isSigned, error.code == .statementCreating { return .notYet }
            guard error.isSigned, error.code == .noStatement else { throw StoreFailure(error) }
            return .none
        }
        let bytes: [UInt8]
        do {
            bytes = try await client.file(WeChatPayCall(.billFile, place.target))
        } catch {
            throw StoreFailure(error)
        }
        let hash = Insecure.SHA1.hash(data: bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        guard hash.joined() == place.hash else {
            throw StoreFailure(
                unreadable: GatewayError(.malformed, "WeChat Pay's bill did not arrive as it is: its hash is another.")
            )
        }
        return .file(bytes)
    }

    /// The address of a bill at WeChat Pay, and its hash. Signatures for WeChat Pay are sent to no other host.
    private func place(_ json: JSON) throws(GatewayError) -> (target: String, hash: String) {
        let fields = try JSONFields(json, of: "answer")
        guard try fields.required("hash_type") == "SHA1" else {
            throw GatewayError(.malformed, "The hash of the bill is of a kind that is not known here.")
        }
        let (url, hash) = (try fields.required("download_url"), try fields.required("hash_value").lowercased())
        guard let address = merchant.addresses.first(where: { url.hasPrefix("\($0)/") }), url.utf8.count <= 2_048,
            url.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw GatewayError(.malformed, "The bill lies at no address of WeChat Pay's.") }
        return (String(url.dropFirst(address.count)), hash)
    }
}

extension WeChatPayFundBill {
    fileprivate static let empty = WeChatPayFundBill(
        Array("记账时间\n资金流水总笔数\n`0\n".utf8)
    )
}
