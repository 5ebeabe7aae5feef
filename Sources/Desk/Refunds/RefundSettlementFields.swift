import HTTP
import Operations
import Words

/// The fields of the page on which a person chooses another account for a refund that the customer's does not take.
enum RefundSettlementFields {
    static func fields(
        _ store: String,
        _ typed: TypedFields,
        _ problems: [String: String],
        _ strings: Strings
    ) -> [FormField] {
        [
            FormField(
                "way",
                strings.refundsSettleWay.description,
                value: typed["way"] ?? RefundSettlementRoute.Way.merchant.rawValue,
                .radios([
                    FormField.Option(
                        value: RefundSettlementRoute.Way.merchant.rawValue,
                        label: strings.refundsSettleMerchant.description,
                        detail: strings.refundsSettleMerchantDetail(store: store)
                    ),
                    FormField.Option(
                        value: RefundSettlementRoute.Way.customer.rawValue,
                        label: strings.refundsSettleCustomer.description,
                        detail: strings.refundsSettleCustomerDetail(store: store)
                    ),
                ]),
                problem: problems["way"]
            ),
            FormField(
                "bank",
                strings.refundsSettleBank.description,
                value: typed["bank"],
                hint: strings.refundsSettleBankHint(store: store),
                problem: problems["bank"]
            ),
            FormField(
                "account",
                strings.refundsSettleAccount.description,
                value: typed["account"],
                problem: problems["account"]
            ),
            FormField("name", strings.refundsSettleName.description, value: typed["name"], problem: problems["name"]),
        ]
    }
}
