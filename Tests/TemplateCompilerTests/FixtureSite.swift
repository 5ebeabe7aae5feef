/// The files of a small site, and its output.
enum FixtureSite {
    static let pages = """
        package import HTML

        package struct Strings {
            package var isTurkish = false

            func pick(en: StaticString, tr: StaticString) -> StaticString { isTurkish ? tr : en }
            func say(en: @autoclosure () -> String, tr: @autoclosure () -> String) -> String { isTurkish ? tr() : en() }
            func isolated(_ text: String) -> String { text }
            func number(_ number: Int) -> String { String(number) }
        }

        package struct OrderIndexPage {
            package var strings = Strings()
            package var frame: Frame
            package var heading: String
            package var note: String?
            package var orders: [OrderRow]
            package var chart: TrustedHTML
        }

        package struct Frame {
            package var language: StaticString
            package var tabs: [(label: String, url: String, current: Bool)]
        }

        package struct OrderRow {
            package var id: String
            package var url: String
            package var count: Int
            package var status: Status
            package var customer: Substring?
            package var lines: [String]

            package struct Status {
                package var `class`: String
                package var name: String
            }
        }

        struct RefundIndexPage {
            var strings = Strings(isTurkish: true)
            var text: String
        }
        """

    static let main = """
        import HTML

        func order(_ id: String, _ url: String, _ customer: Substring?) -> OrderRow {
            OrderRow(
                id: id, url: url, count: -3, status: .init(class: "a\\"b", name: "Done & paid"), customer: customer, lines: ["<1>"]
            )
        }
        let frame = Frame(language: "en", tabs: [("All", "/orders?a=1&b=2", true), ("None", "javascript:alert(1)", false)])
        let chart = TrustedHTML(trusting: "<svg></svg>")
        let orders = [order("A/1 ü", "/orders/1", nil), order("<2>", "\\tjavascript:x", "O'Brien")]
        print(OrderIndexPage(frame: frame, heading: "<Orders>", note: "a\\nb", orders: orders, chart: chart).html())
        print(OrderIndexPage(frame: frame, heading: "None", note: nil, orders: [], chart: chart).html())
        print(RefundIndexPage(text: "x").html())
        for file in EmbeddedFiles.assets {
            print(file.name, file.bytes.count, file.mediaType, file.fingerprintedName)
            print(file.text)
        }
        """

    static let layout = """
        {{layout site(frame: Frame)}}
        <!doctype html>
        <html lang="{{frame.language}}">
        <title>{{block title}}Site{{/block}}</title>
        {{#each frame.tabs as tab}}
        <a href="{{tab.url}}"{{#if tab.current}} aria-current="page"{{/if}}>{{tab.label}}</a>
        {{/each}}
        {{block content}}{{/block}}
        """

    static let index = """
        {{page OrderIndexPage}}
        {{layout site}}
        {{#block title}}{{heading}}{{/block}}
        {{#block content}}
        {{#if let note = note}}
        <p title="{{note}}">{{{chart}}}</p>
        {{/if}}
        {{#each orders as order}}
        {{> row order}}
        {{else}}
        <p>Nothing</p>
        {{/each}}
        {{/block}}
        """

    static let row = """
        {{partial row(order: OrderRow)}}
        <a href="{{order.url}}" class="status {{order.status.class}}">{{order.status.name}}</a>
        <a href="/orders/{{order.id}}?count={{order.count}}">{{order.id}}</a>
        {{#with order.customer as customer}}{{customer}}{{else}}{{t site.nobody}}{{/with}}
        {{#each order.lines as line}}{{line}}{{/each}}
        """

    static let badIndex = """
        {{page OrderIndexPage}}
        {{layout site}}

        {{#block content}}
        <p>{{headng}}</p>
             {{#if heading}}x{{/if}}
        <p title="{{note}}">
        <p>{{{heading}}}
        {{> row heading}}
        <p>{{t site.nobdy}}
        {{/block}}
        """

    static let english = """
        site.nobody = nobody
        site.found = “{what}” found
        """

    static let turkish = """
        site.nobody = kimse
        site.found = "{what}" bulundu
        """

    static let expected = """
        <!doctype html>
        <html lang="en">
        <title>&lt;Orders&gt;</title>
        <a href="/orders?a=1&amp;b=2" aria-current="page">All</a>
        <a href="#unsafe">None</a>
        <p title="a
        b"><svg></svg></p>
        <a href="/orders/1" class="status a&quot;b">Done &amp; paid</a>
        <a href="/orders/A%2F1%20%C3%BC?count=-3">A/1 ü</a>
        nobody
        &lt;1&gt;
        <a href="#unsafe" class="status a&quot;b">Done &amp; paid</a>
        <a href="/orders/%3C2%3E?count=-3">&lt;2&gt;</a>
        O'Brien
        &lt;1&gt;

        <!doctype html>
        <html lang="en">
        <title>None</title>
        <a href="/orders?a=1&amp;b=2" aria-current="page">All</a>
        <a href="#unsafe">None</a>
        <p>Nothing</p>

        <p title="&quot;x&quot; bulundu">x</p>

        site.css 6 text/css; charset=utf-8 site.ef18e87e48944397.css
        a { }


        """
}
