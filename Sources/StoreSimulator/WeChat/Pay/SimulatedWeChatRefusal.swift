import Foundation
import Gateways

/// An error of WeChat Pay's, with the status it comes with.
package struct SimulatedWeChatRefusal: Error, Hashable {
    package let status: Int
    package let code: String
    package let message: String

    package init(_ status: Int, _ code: String, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    var json: JSON { ["code": .string(code), "message": .string(message)] }

    static func parameter(_ name: String) -> SimulatedWeChatRefusal {
        SimulatedWeChatRefusal(400, "PARAM_ERROR", "输入源“\(name)”映射到值字段“\(name)”规则校验失败")
    }

    static let orderUnknown = SimulatedWeChatRefusal(404, "ORDER_NOT_EXIST", "订单不存在")
    static let orderPaid = SimulatedWeChatRefusal(400, "ORDERPAID", "该订单已支付")
    static let orderClosed = SimulatedWeChatRefusal(400, "ORDER_CLOSED", "订单已关闭")
    static let otherContent = SimulatedWeChatRefusal(400, "INVALID_REQUEST", "请求重入时，参数与首次请求时不一致")
    static let notEnough = SimulatedWeChatRefusal(403, "NOT_ENOUGH", "基本账户余额不足，请充值后重新发起")
    static let noCertificates = SimulatedWeChatRefusal(
        404,
        "RESOURCE_NOT_EXISTS",
        "无可用的平台证书，请在商户平台-API安全申请使用微信支付公钥。"
    )
}
