import Billing
import Desk
import HTTP
import Storage
import Web
import Words

/// Numbers of an app in its second year, as a page would show them.
struct ChartSample {
    let strings: Strings
    private let text: [String]
    private let months: [String]

    init(_ language: Language) {
        strings = Strings(language)
        switch language {
        case .english: (text, months) = (Self.english, Self.englishMonths)
        case .turkish: (text, months) = (Self.turkish, Self.turkishMonths)
        case .chinese: (text, months) = (Self.chinese, (1...12).map { "\($0)月" })
        }
    }

    // MARK: - Usual figures

    var cards: [StatCard] {
        let change = ChangeText(from: 9, to: 12, strings)
        let worse = ChangeText(from: 22, to: 25, meaning: .moreIsWorse, strings)
        return [
            card(0, 12, .count, change: change, trend: [8, 9, 7, 11, 10, 9, 12]),
            card(
                1,
                153_600,
                money,
                change: ChangeText(from: 134_600, to: 153_600, strings),
                trend: [90, 110, 110, 140, 136]
            ),
            card(2, 12_845_600, money, trend: [1, 2, 4, 7, 9, 12, 16]),
            card(3, 3, .count, trend: [1, 1, 1]),
            card(4, 253, .percent, change: worse, trend: [230, 240, 228, 251, 253]),
        ]
    }

    var revenue: ChartFigure {
        .bars(
            heading("revenue", 5),
            periods: year,
            current: ChartSeries(text[10], Self.revenueNow),
            previous: ChartSeries(text[11], Self.revenueBefore),
            unit: money,
            options: ChartOptions(
                csvHref: "/dashboard/exports/revenue",
                annotations: [ChartAnnotation(at: 6, text[12])]
            ),
            strings
        )
    }

    var recurring: ChartFigure {
        let lengths = [31, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30]
        let days: [Int64] = (0..<365).map(Self.recurring)
        let before: [Int64] = days.map { $0 * 2 / 3 }
        return .lines(
            heading("recurring", 6),
            periods: ChartPeriods(by: .month, lengths.indices.map { period($0, points: lengths[$0]) }),
            current: ChartSeries(text[10], days),
            previous: ChartSeries(text[11], before),
            unit: money,
            options: ChartOptions(size: .half, csvHref: "/dashboard/exports/recurring", isSummed: false),
            strings
        )
    }

    var subscribers: ChartFigure {
        let days = (1...28).map { day in
            ChartPeriod(
                label: String(day),
                group: day == 1 ? months[10] : nil,
                name: "2026-11-\(day < 10 ? "0" : "")\(day)",
                href: "/dashboard/subscriptions?day=\(day)",
                isPartial: day == 28
            )
        }
        let values: [Int64] = (1...28).map(Self.subscribers)
        return .lines(
            heading("subscribers", 7),
            periods: ChartPeriods(by: .day, days),
            current: ChartSeries(text[13], values),
            unit: .count,
            options: ChartOptions(size: .half, csvHref: "/dashboard/exports/subscribers", isSummed: false),
            strings
        )
    }

    var movements: ChartFigure {
        let series: [[Int64]] = [
            Self.thousands([310, 330, 360, 350, 410, 450, 440, 500, 530, 520, 580, 390]),
            Self.thousands([20, 25, 0, 30, 41, 35, 38, 44, 50, 47, 60, 31]),
            Self.thousands([60, 55, 70, 82, 75, 90, 88, 95, 120, 101, 130, 70]),
            Self.thousands([-30, -28, -35, -31, -40, -42, -39, -50, -48, -45, -52, -20]),
            Self.thousands([-150, -160, -155, -180, -190, -210, -200, -230, -260, -240, -280, -170]),
        ]
        return .stack(
            heading("movements", 8),
            periods: year,
            series: zip(text[14...18], series).map { ChartSeries($0, $1) },
            total: text[19],
            unit: money,
            options: ChartOptions(csvHref: "/dashboard/exports/movements"),
            strings
        )
    }

    var trials: ChartFigure {
        .steps(
            heading("trials", 9),
            headings: (text[20], text[21], nil),
            steps: [
                SharePart(text[22], 1_240, href: "/dashboard/subscriptions?trial=begun"), SharePart(text[23], 910),
                SharePart(text[24], 405),
            ],
            csvHref: "/dashboard/exports/trials",
            strings
        )
    }

    var plans: ChartFigure {
        .parts(
            heading("plans", 25),
            headings: (text[26], text[21], text[27]),
            parts: [
                SharePart("FREE", 8_500, href: "/dashboard/customers?plan=FREE", note: "+212"),
                SharePart("PRO", 1_200, href: "/dashboard/customers?plan=PRO", note: "+41"),
                SharePart("PREMIUM", 200, note: "+6"), SharePart("FAMILY", 100, note: "−4"),
            ],
            csvHref: "/dashboard/exports/plans",
            strings
        )
    }

    var retention: ChartFigure {
        let shares: [Int64] = [100, 71, 62, 55, 48, 41, 33, 26, 17, 8]
        let rows = (0..<10).map { row -> HeatRow in
            let size = Int64(420 + row * 37)
            let kept: [Int64] = shares.dropLast(row).map { share in size * share / 100 }
            return HeatRow(
                name: "\(months[row]) 2026",
                href: "/dashboard/subscriptions?since=\(row + 1)",
                size: size,
                kept: kept,
                hrefs: kept.indices.map { "/dashboard/subscriptions?since=\(row + 1)&period=\($0 + 1)" },
                unfinished: 1
            )
        }
        return .heat(
            heading("retention", 28),
            rowHeading: text[29],
            sizeHeading: text[13],
            columns: (0..<10).map { "\($0)" },
            rows: rows,
            csvHref: "/dashboard/exports/retention",
            strings
        )
    }

    // MARK: - Unusual figures

    var losses: ChartFigure {
        .bars(
            heading("losses", 5),
            periods: year,
            current: ChartSeries(
                text[10],
                Self.thousands([400, -200, 300, 0, -600, 200, 500, 100, -100, 300, 400, 200])
            ),
            unit: money,
            options: ChartOptions(size: .half),
            strings
        )
    }

    var zeros: ChartFigure {
        .bars(
            heading("zeros", 6),
            periods: year,
            current: ChartSeries(text[10], [Int64?](repeating: 0, count: 12)),
            unit: money,
            options: ChartOptions(size: .half),
            strings
        )
    }

    var nothing: ChartFigure {
        .bars(heading("nothing", 8), periods: year, current: ChartSeries(text[10], []), unit: money, strings)
    }

    // MARK: - Pieces

    static let revenueNow = thousands([
        3_100, 3_300, 3_600, 3_500, 4_100, 4_500, 4_400, 5_000, 5_300, 5_200, 5_800, 3_900,
    ])
    static let revenueBefore = thousands([
        2_700, 2_900, 3_100, 3_200, 3_500, 3_700, 3_900, 4_300, 4_500, 4_700, 5_000, 3_600,
    ])

    private static func recurring(on day: Int) -> Int64 {
        let (steady, uneven) = (day * 6_100, day * day % 97 * 400)
        return Int64(2_150_000 + steady + uneven)
    }

    private static func subscribers(on day: Int) -> Int64 {
        let (steady, uneven) = (day * 5, day * day % 11)
        return Int64(1_480 + steady + uneven)
    }

    private static func thousands(_ numbers: [Int64]) -> [Int64] {
        numbers.map { $0 * 1_000 }
    }

    /// The months from December 2025 to November 2026, the last of which is not over.
    var year: ChartPeriods {
        ChartPeriods(by: .month, (0..<12).map { period($0) })
    }

    private var money: ChartUnit { .money(Sample.currency("CNY")) }

    private func period(_ index: Int, points: Int = 1) -> ChartPeriod {
        let (year, month) = (index == 0 ? 2025 : 2026, (index + 11) % 12)
        return ChartPeriod(
            label: months[month],
            group: String(year),
            name: strings.language == .chinese ? "\(year)年\(months[month])" : "\(months[month]) \(year)",
            href: "/dashboard/orders?from=\(year)-\(month + 1)",
            isPartial: index == 11,
            points: points
        )
    }

    private func heading(_ id: String, _ title: Int) -> ChartHeading {
        ChartHeading(
            id: id,
            title: text[title],
            finding: text[30],
            definition: text[31],
            version: "2",
            definitionHref: "/dashboard/definitions"
        )
    }

    private func card(
        _ label: Int,
        _ value: Int64,
        _ unit: ChartUnit,
        change: ChangeText? = nil,
        trend: [Int64]
    ) -> StatCard {
        StatCard(
            text[label],
            value: value,
            unit: unit,
            href: "/dashboard/orders",
            change: change,
            note: text[32],
            trend: trend,
            strings
        )
    }

    private static let englishMonths = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let turkishMonths = [
        "Oca", "Şub", "Mar", "Nis", "May", "Haz", "Tem", "Ağu", "Eyl", "Eki", "Kas", "Ara",
    ]
    private static let english = [
        "Orders", "Revenue", "Total revenue", "Pending refunds", "Refund rate", "Net revenue by month, CNY",
        "Recurring revenue, CNY", "Active subscribers", "How recurring revenue moved, CNY", "From trial to paid",
        "this year", "the year before", "Price change 2026-06-15", "Subscribers", "New", "Reactivation", "Moved up",
        "Moved down", "Left", "Net", "Step", "Customers", "Began a trial", "Finished it", "Paid", "Who has what",
        "Plan", "28 days", "Who stays, by first month", "First month",
        "December to October is 14.1% above the same months a year before. Highest: October. November is in progress.",
        "Net of refunds by refund date, days of UTC+8.", "than yesterday",
    ]
    private static let turkish = [
        "Siparişler", "Gelir", "Toplam gelir", "Bekleyen iadeler", "İade oranı", "Aylara göre net gelir, CNY",
        "Yinelenen gelir, CNY", "Etkin aboneler", "Yinelenen gelirin hareketi, CNY", "Denemeden ödemeye", "bu yıl",
        "önceki yıl", "Fiyat değişikliği 2026-06-15", "Aboneler", "Yeni", "Yeniden etkinleşme", "Yükselten", "Düşüren",
        "Ayrılan", "Net", "Adım", "Müşteriler", "Denemeye başlayan", "Bitiren", "Ödeyen", "Kimde ne var", "Plan",
        "28 gün", "İlk aya göre kalanlar", "İlk ay",
        "Aralık–Ekim, bir önceki yılın aynı aylarından %14,1 yüksek. En yüksek: Ekim. Kasım henüz bitmedi.",
        "İade tarihine göre iadeler düşülmüştür; günler UTC+8.", "düne göre",
    ]
    private static let chinese = [
        "订单", "收入", "总收入", "待审批退款", "退款率", "按月净收入，CNY", "经常性收入，CNY", "活跃订阅者", "经常性收入变动，CNY",
        "从试用到付费", "今年", "上一年", "2026-06-15 调价", "订阅者", "新增", "重新激活", "升级", "降级", "流失", "净变动", "步骤",
        "用户", "开始试用", "试用到期", "付费", "各方案人数", "方案", "28 天", "按首月的留存", "首月",
        "12 月至 10 月比上一年同期高 14.1%。最高：10 月。11 月尚未结束。", "按退款日期扣除退款，日期按 UTC+8。", "比昨天",
    ]
}
