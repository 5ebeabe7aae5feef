import Billing
import Foundation
import HTML
import Storage

@testable import Desk
@testable import Words

/// A page with every kind of chart, as the metrics pages show them.
struct ChartSpecimen: HTMLPage, Sendable {
    let frame: DashboardFrame
    var strings: Strings { frame.strings }
    var cards: [StatCard] = []
    /// Panels from the top to the bottom; two figures beside each other.
    var rows: [[ChartFigure]] = []

    init(_ language: Language) {
        frame = DashboardFrame(
            Sample.viewer(in: language),
            section: .none,
            path: "/dashboard/charts",
            now: Sample.now
        )
    }

    func render(into html: inout HTMLBuffer) {
        Templates.layouts_dashboard(
            frame: frame,
            strings: strings,
            title: { html in
                html.text("Charts")
                return true
            },
            content: { html in
                content(into: &html)
                return true
            },
            into: &html
        )
    }

    private func content(into html: inout HTMLBuffer) {
        html.append("<h1>Charts</h1>\n<div class=\"cards\">")
        for card in cards { Templates.charts_card(card: card, strings: strings, into: &html) }
        html.append("</div>\n")
        for row in rows {
            if row.count > 1 { html.append("<div class=\"pair\">\n") }
            for figure in row {
                html.append("<section class=\"panel\"><div class=\"body\">\n")
                Templates.charts_figure(figure: figure, strings: strings, into: &html)
                html.append("\n</div></section>\n")
            }
            if row.count > 1 { html.append("</div>\n") }
        }
    }
}

extension ChartSpecimen {
    /// Returns a page of all charts, with numbers that never change.
    static func full(in language: Language) -> Self {
        let sample = ChartSample(language)
        var page = ChartSpecimen(language)
        page.cards = sample.cards
        page.rows = [
            [sample.revenue], [sample.recurring, sample.subscribers], [sample.movements],
            [sample.trials, sample.plans], [sample.retention],
        ]
        return page
    }

    /// A page of unusual charts: losses, zeros, nothing at all.
    static var bare: Self {
        let sample = ChartSample(.english)
        var page = ChartSpecimen(.english)
        page.rows = [[sample.losses, sample.zeros], [sample.nothing]]
        return page
    }
}
