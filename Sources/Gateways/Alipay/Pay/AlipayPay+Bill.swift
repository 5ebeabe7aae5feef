package import Billing
package import Foundation

extension AlipayPay: BillSource {
    package var billZone: TimeZone { AlipayTime.zone }
    /// Made by ten in the morning of the next day.
    package var billDelay: TimeInterval { 36_000 }

    package func bill(of day: BusinessDay) async throws(StoreFailure) -> StoreBill? {
        let reply = try await ask(.billAddress, ["bill_type": "trade", "bill_date": .string(day.description)])
        if reply.verdict == .noBill {
            // Of a day on which nothing happened Alipay says the same for ever. Bills are made in the morning after.
            let isOver = clock.now() > day.end(in: AlipayTime.zone).addingTimeInterval(Self.patience)
            return isOver ? StoreBill(rows: [], isWhole: true) : nil
        }
        let fields = try reply.fields
        let address = try StoreFailure.reading { () throws(GatewayError) in
            try self.address(try fields.required("bill_download_url"))
        }
        let answer: StoreResponse
        do {
            // Its query is signed and good for half a minute; nothing of ours goes along.
            answer = try await transport.send(
                StoreRequest("GET", address, timeout: .seconds(60), longestAnswer: Self.longestArchive)
            )
        } catch {
            throw StoreFailure(refusal: nil, else: error)
        }
        guard answer.status == 200 else {
            throw StoreFailure(unreadable: GatewayError(.unreachable, "Alipay's bill answered \(answer.status)."))
        }
        return try StoreFailure.reading { () throws(GatewayError) in
            try AlipayBillFile(archive: Array(answer.body)).bill
        }
    }

    /// Alipay still writes http; the file is fetched over https all the same.
    private func address(_ text: String) throws(GatewayError) -> String {
        guard text.utf8.count <= 4_096, let origin = Origin(of: text) else {
            throw GatewayError(.malformed, "The bill's address is none.", field: "bill_download_url")
        }
        guard !app.isSimulated, origin.scheme == "http" else { return text }
        return "https" + text.dropFirst("http".count)
    }

    private static let patience: TimeInterval = 48 * 3_600
    private static let longestArchive = 32 << 20
}
