import Billing
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("Alipay's bills") struct AlipayBillTests {
    private static let day = BusinessDay(AlipayShop.start, in: AlipayTime.zone)

    /// Archives and streams that Python's zipfile and zlib have packed.
    private func vectors() throws -> JSON {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = folder.appending(path: "Interop/alipay_bill_vectors.json")
        return try JSON(parsing: Array(try Data(contentsOf: file)))
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        let text = try #require(try vectors()[name]?.string)
        return Array(try #require(Data(base64Encoded: text)))
    }

    private func bytes(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    @Test("an archive of GBK tables is read: numbers without their tabs, refunds and fees with their signs turned")
    func read() throws {
        let bill = try AlipayBillFile(archive: try bytes("whole")).bill
        #expect(bill.isWhole && bill.unreadable == [])
        #expect(
            bill.rows == [
                BilledMovement(
                    .payment,
                    orderNumber: "P1",
                    transactionID: "2025061522001400020500000001",
                    amount: AlipayShop.yuan(12_800),
                    fee: AlipayShop.yuan(77),
                    at: Date(timeIntervalSince1970: 1_749_952_830)
                ),
                BilledMovement(
                    .refund,
                    orderNumber: "P1",
                    transactionID: "2025061522001400020500000001",
                    refundNumber: "R1",
                    amount: AlipayShop.yuan(2_800),
                    fee: AlipayShop.yuan(-17),
                    at: Date(timeIntervalSince1970: 1_749_956_430)
                ),
                BilledMovement(
                    .payment,
                    orderNumber: "P2",
                    transactionID: "2025061522001400020500000002",
                    amount: AlipayShop.yuan(1),
                    fee: AlipayShop.yuan(0),
                    at: Date(timeIntervalSince1970: 1_749_960_030)
                ),
            ]
        )
    }

    @Test("a day's bill has its payments and refunds; before it is made there is none, and of an idle day it is empty")
    func fetched() async throws {
        for mode in AlipayShop.Mode.allCases {
            let shop = try AlipayShop(mode)
            let payment = try await shop.paid("P1")
            _ = try await shop.paid("P2", fen: 600)
            _ = try await shop.pay.refund(shop.refund(of: payment, "R1", fen: 100))
            #expect(try await shop.pay.bill(of: Self.day) == nil)
            shop.clock.advance(by: 12 * 3_600)
            let bill = try #require(try await shop.pay.bill(of: Self.day))
            #expect(bill.isWhole && bill.unreadable == [])
            #expect(bill.rows.map(\.orderNumber) == ["P1", "P1", "P2"])
            #expect(bill.rows.map(\.kind) == [.payment, .refund, .payment])
            #expect(bill.rows.map(\.amount.minorUnits) == [12_800, 100, 600])
            #expect(bill.rows.map(\.fee?.minorUnits) == [77, -1, 4])
            #expect(bill.rows.map(\.refundNumber) == [nil, "R1", nil])
            #expect(bill.rows.first?.transactionID == payment.transactionID && bill.rows.first?.at == AlipayShop.start)
            let next = BusinessDay(AlipayShop.start + 86_400, in: AlipayTime.zone)
            shop.clock.advance(by: 86_400)
            #expect(try await shop.pay.bill(of: next) == nil)
            shop.clock.advance(by: 3 * 86_400)
            #expect(try await shop.pay.bill(of: next) == StoreBill(rows: [], isWhole: true))
        }
    }

    @Test("a bill that differs from the orders differs in these rows alone")
    func planted() async throws {
        let shop = try AlipayShop()
        for number in 1...5 { _ = try await shop.paid("P\(number)") }
        var knobs = SimulatedAlipayBillKnobs()
        (knobs.hidden, knobs.amounts) = (["P2"], ["P3": 1])
        knobs.strays = [("STRAY", 600, AlipayShop.start)]
        shop.alipay.set(knobs)
        shop.clock.advance(by: 86_400)
        let rows = try #require(try await shop.pay.bill(of: Self.day)).rows
        #expect(rows.map(\.orderNumber) == ["P1", "P3", "P4", "P5", "STRAY"])
        #expect(rows.map(\.amount.minorUnits) == [12_800, 1, 12_800, 12_800, 600])
    }

    @Test("a table that breaks off at any byte is not whole, and has no row that is not one of the whole's")
    func torn() throws {
        let archive = try ZIPArchive(try bytes("whole"))
        let entry = try #require(archive.entries.last)
        let table = try archive.contents(of: entry, longest: 1 << 20)
        let whole = try AlipayBillFile(table: table).bill
        let end = try #require(GBK.text(table).range(of: AlipayBillFile.end))
        let marked = GBK.bytes(String(GBK.text(table)[..<end.upperBound])).count
        for count in 0..<marked {
            guard let bill = try? AlipayBillFile(table: Array(table.prefix(count))).bill else { continue }
            #expect(!bill.isWhole, "cut at \(count)")
            #expect(bill.unreadable == [], "cut at \(count)")
            #expect(bill.rows == Array(whole.rows.prefix(bill.rows.count)), "cut at \(count)")
        }
    }

    @Test("a torn bill comes over the wire as one that is not whole")
    func tornOverTheWire() async throws {
        let shop = try AlipayShop()
        for number in 1...8 { _ = try await shop.paid("P\(number)") }
        var knobs = SimulatedAlipayBillKnobs()
        knobs.isTorn = true
        shop.alipay.set(knobs)
        shop.clock.advance(by: 86_400)
        let bill = try #require(try await shop.pay.bill(of: Self.day))
        #expect(!bill.isWhole && bill.unreadable == [] && (1..<8).contains(bill.rows.count))
    }

    @Test("an odd line in the middle is named by its number, and the others count")
    func odd() throws {
        let archive = try ZIPArchive(try bytes("whole"))
        let table = try archive.contents(of: try #require(archive.entries.last), longest: 1 << 20)
        let text = GBK.text(table)
        for (from, to) in [
            ("-28.00", "many"), (",退款,", ",其他,"), ("R1\t", "R 1\t"), ("2025-06-15 11:00:30", "2025-02-30 11:00:30"),
            ("-28.00", "-99999999999999999999.00"),
        ] {
            let bill = try AlipayBillFile(table: Array(text.replacing(from, with: to).utf8)).bill
            #expect(bill.isWhole && bill.rows.count == 2, "\(to)")
            #expect(bill.unreadable.count == 1 && bill.unreadable.first?.hasPrefix("6: ") == true, "\(to)")
        }
        #expect(throws: GatewayError.self) { try AlipayBillFile(table: Array(text.replacing("服务费", with: "x").utf8)) }
        for junk in ["", "\n", "<html></html>", "#"] {
            #expect(throws: GatewayError.self) { try AlipayBillFile(table: Array(junk.utf8)) }
        }
    }

    @Test("streams that zlib packed in each of its ways are unpacked; cut at any byte they are refused")
    func inflated() throws {
        let text = Array(try #require(try vectors()["text"]?.string).utf8)
        for name in ["stored", "fixed", "dynamic", "huffman"] {
            let packed = try bytes(name)
            #expect(try Inflater.inflate(packed, longest: text.count) == text, "\(name)")
            #expect(error(.malformed) { _ = try Inflater.inflate(packed, longest: text.count - 1) }, "\(name)")
            for count in 0..<packed.count {
                #expect(throws: GatewayError.self) {
                    try Inflater.inflate(Array(packed.prefix(count)), longest: 1 << 20)
                }
            }
            // Whatever becomes of a changed byte, it is text within the bound or a refusal.
            for index in stride(from: 0, to: packed.count, by: 7) {
                var changed = packed
                changed[index] ^= 0x5A
                let unpacked = try? Inflater.inflate(changed, longest: 4_096)
                #expect((unpacked?.count ?? 0) <= 4_096)
            }
        }
    }

    @Test("a ZIP bomb is refused, whether it tells its length or lies; so is what breaks off, or is none")
    func bomb() throws {
        let packed = try bytes("bomb")
        func archive(length: Int, method: Int = 8) -> [UInt8] {
            let name = GBK.bytes("业务明细.csv")
            let sums = bytes(0, 4) + bytes(packed.count, 4) + bytes(length, 4)
            let head = bytes(0, 2) + bytes(method, 2) + bytes(0, 4) + sums + bytes(name.count, 2) + bytes(0, 2)
            let local = bytes(0x0403_4B50, 4) + bytes(20, 2) + head + name + packed
            let directory =
                bytes(0x0201_4B50, 4) + bytes(20, 2) + bytes(20, 2) + head + bytes(0, 6) + bytes(0, 4) + bytes(0, 4)
                + name
            return local + directory + bytes(0x0605_4B50, 4) + bytes(0, 4) + bytes(1, 2) + bytes(1, 2)
                + bytes(directory.count, 4) + bytes(local.count, 4) + bytes(0, 2)
        }
        for length in [0, 100, 1 << 20, 0xFFFF_FFFF] {
            #expect(error(.malformed) { _ = try AlipayBillFile(archive: archive(length: length)) }, "\(length)")
        }
        #expect(error(.malformed) { _ = try AlipayBillFile(archive: archive(length: 100, method: 12)) })
        let whole = try bytes("whole")
        for count in 0..<whole.count {
            #expect(throws: GatewayError.self) { try AlipayBillFile(archive: Array(whole.prefix(count))) }
        }
        for index in whole.indices {
            var changed = whole
            changed[index] ^= 0xFF
            // A name or a date may be another; the rows are the same or refused.
            if let bill = try? AlipayBillFile(archive: changed).bill { #expect(bill.rows.count == 3, "\(index)") }
        }
    }

    @Test("GBK is read with whatever is in it, and written with a mark for what it lacks")
    func gbk() {
        #expect(GBK.text([0xD6, 0xA7, 0xB8, 0xB6]) == "支付")
        #expect(GBK.bytes("支付") == [0xD6, 0xA7, 0xB8, 0xB6])
        #expect(GBK.text([0xD6, 0xA7, 0xB8]) == "支")
        #expect(GBK.text([0x41, 0xFF, 0x42]) == "A\u{FFFD}B")
        #expect(
            GBK.text(GBK.bytes(String(repeating: "支付宝a", count: 50_000))) == String(repeating: "支付宝a", count: 50_000)
        )
        #expect(GBK.text([]) == "")
    }
}
