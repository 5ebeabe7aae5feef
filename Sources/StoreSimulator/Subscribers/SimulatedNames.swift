/// A country's names, each with its spelling in an e-mail address.
struct SimulatedNames {
    typealias Name = (String, String)

    let given: [Name]
    let family: [Name]
    /// True if the family name is written first, without a space.
    let familyFirst: Bool

    static func of(_ country: String) -> SimulatedNames {
        switch country {
        case "CHN": chinese
        case "TUR": turkish
        case "DEU": german
        default: english
        }
    }

    private static let chinese = SimulatedNames(
        given: [
            ("伟", "wei"), ("芳", "fang"), ("秀英", "xiuying"), ("娜", "na"), ("敏", "min"), ("静", "jing"), ("丽", "li"),
            ("强", "qiang"), ("磊", "lei"), ("洋", "yang"), ("艳", "yan"), ("勇", "yong"), ("杰", "jie"),
            ("思远", "siyuan"), ("雨桐", "yutong"), ("子涵", "zihan"), ("浩然", "haoran"), ("欣怡", "xinyi"),
            ("梓轩", "zixuan"), ("诗涵", "shihan"),
        ],
        family: [
            ("王", "wang"), ("李", "li"), ("张", "zhang"), ("刘", "liu"), ("陈", "chen"), ("杨", "yang"), ("赵", "zhao"),
            ("黄", "huang"), ("周", "zhou"), ("吴", "wu"), ("徐", "xu"), ("孙", "sun"), ("胡", "hu"), ("朱", "zhu"),
            ("林", "lin"), ("司马", "sima"),
        ],
        familyFirst: true
    )

    private static let turkish = SimulatedNames(
        given: [
            ("Ayşe", "ayse"), ("Mehmet", "mehmet"), ("Zeynep", "zeynep"), ("Çağrı", "cagri"), ("Işıl", "isil"),
            ("Ömer", "omer"), ("Gülşen", "gulsen"), ("Kerem", "kerem"),
        ],
        family: [
            ("Yılmaz", "yilmaz"), ("Kaya", "kaya"), ("Öztürk", "ozturk"), ("Şahin", "sahin"), ("Güneş", "gunes"),
            ("Doğan", "dogan"),
        ],
        familyFirst: false
    )

    private static let german = SimulatedNames(
        given: [
            ("Anna", "anna"), ("Lukas", "lukas"), ("Jörg", "joerg"), ("Käthe", "kaethe"), ("Felix", "felix"),
            ("Sophie", "sophie"),
        ],
        family: [
            ("Müller", "mueller"), ("Schäfer", "schaefer"), ("Weiß", "weiss"), ("Köhler", "koehler"),
            ("Becker", "becker"),
        ],
        familyFirst: false
    )

    private static let english = SimulatedNames(
        given: [
            ("Olivia", "olivia"), ("Noah", "noah"), ("Grace", "grace"), ("Liam", "liam"), ("Zoë", "zoe"),
            ("Ethan", "ethan"), ("Chloe", "chloe"),
        ],
        family: [
            ("Smith", "smith"), ("O'Connor", "oconnor"), ("Taylor", "taylor"), ("Patel", "patel"), ("Brontë", "bronte"),
            ("Walker", "walker"),
        ],
        familyFirst: false
    )
}
