import ArgumentParser
import Billing
import Foundation
import Gateways
import StoreSimulator

/// The stores whose messages are signed with RSA.
enum ShopName: String, ExpressibleByArgument, CaseIterable {
    case wechat
    case alipay
    case google
}

/// Messages of one of these stores, as it signs them.
struct ShopMessages {
    private let make: (Int) throws -> (headers: [String: String], body: String)?
    private let path: String

    /// - Parameters:
    ///   - directory: of its keys.
    ///   - app: the app's name in the catalogue.
    init(of name: ShopName, keptIn directory: String, app: String) throws {
        let url = "http://127.0.0.1/webhooks/\(name.rawValue)/\(app)"
        switch name {
        case .wechat:
            let wechat = try SimulatedWeChatShop(keptIn: directory, mode: .publicKey)
            path = "/webhooks/wechat/\(app)"
            make = { number in
                let delivery = try wechat.pay.sell(Self.number(number), for: 1_800, telling: url)
                return (delivery.headers, delivery.payload)
            }
        case .alipay:
            let alipay = try SimulatedAlipayShop(keptIn: directory)
            path = "/webhooks/alipay/\(app)"
            make = { number in
                alipay.alipay.sell(Self.number(number), for: 1_800, telling: url).map {
                    (["content-type": "application/x-www-form-urlencoded; charset=utf-8"], $0)
                }
            }
        case .google:
            let google = try SimulatedGoogleShop(keptIn: directory)
            path = "/webhooks/google"
            let price = Money(minorUnits: 99, currency: Currency("EUR") ?? .unknown)
            make = { number in
                google.google.buyOnce("coins", price)
                guard let push = google.google.pushes.last else { return nil }
                let delivery = try google.google.delivery(of: push)
                return (delivery.headers, delivery.payload)
            }
        }
    }

    /// A message of its own for each number, as an HTTP request with its length before it.
    func request(_ number: Int) throws -> Data {
        guard let message = try make(number) else { throw CocoaError(.coderValueNotFound) }
        var head = "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(message.body.utf8.count)\r\n"
        for (name, value) in message.headers { head += "\(name): \(value)\r\n" }
        if message.headers["content-type"] == nil { head += "content-type: application/json\r\n" }
        let request = "\(head)\r\n\(message.body)"
        return Data("\(request.utf8.count)\n\(request)".utf8)
    }

    /// 26 digits, counted from the millisecond of the start, so that no run sends what another sent.
    private static func number(_ number: Int) -> String {
        let text = "\(start)\(100_000_000 + number)"
        return String(repeating: "0", count: max(0, 26 - text.count)) + text
    }

    private static let start = Int(Date().timeIntervalSince1970 * 1_000)
}
