import Foundation
import Keys
import Market
import Storage
import Support
import Testing

/// Words of every way of writing, found as people type them.
struct CatalogueScriptTests {
    private struct Sample: Sendable, CustomTestStringConvertible {
        let script: String
        let title: String
        let found: [String]
        let missed: [String]
        var testDescription: String { script }
    }

    private static let samples = [
        Sample(
            script: "Latin",
            title: "Kaffeemühle für Café, crème brûlée, đèn bàn",
            found: [
                "kaffeemuhle cafe", "KAFFEEMUEHLE", "creme brulee", "den ban", "Đèn",
                "kaffeemuhlen",
            ],
            missed: ["kaffeemuhlstein", "affe"]
        ),
        Sample(
            script: "Greek",
            title: "Μεταχειρισμένο ποδήλατο, λίγος δρόμος",
            found: ["ποδηλατο", "ΠΟΔΉΛΑΤΟ", "ποδήλ", "δρομος", "δρόμοσ"],
            missed: ["ποδια"]
        ),
        Sample(
            script: "Cyrillic",
            title: "Горный велосипед, ёлка и чай",
            found: [
                "велосипед", "ВЕЛО", "горн вел", "чай", "елка", "ЕЛКА", "ёлк", "велосипе\u{301}д",
            ],
            missed: ["велик", "чаи"]
        ),
        Sample(
            script: "Cyrillic letters of their own",
            title: "Еще зеленый їжак, ѓон",
            found: ["ещё", "зелёный", "Зелёный\u{301}", "їжак", "ѓон"],
            missed: ["іжак", "гон", "зеленыи"]
        ),
        Sample(
            script: "Hebrew",
            title: "אופניים בְּמַצָּב טוב",
            found: ["אופניים", "אופנ", "במצב", "אופניימ"],
            missed: ["אופנוע"]
        ),
        Sample(
            script: "Arabic",
            title: "دراجة هوائية مُسْتَعْمَلَة آلة",
            found: ["دراجة", "مستعملة", "الة", "هوا", "دراجه", "دراجـــة"],
            missed: ["سيارة"]
        ),
        Sample(
            script: "Persian",
            title: "کتاب فارسی مستعمل",
            found: ["كتاب", "کتاب", "فارسي", "فارسى"],
            missed: ["نقاب"]
        ),
        Sample(
            script: "Devanagari",
            title: "पुरानी साइकिल, बड़ा कागज़",
            found: ["साइकिल", "साइ", "पुरानी साइकिल", "कागज", "कागज़", "बड़ा"],
            missed: ["गाड़ी", "बडा"]
        ),
        Sample(
            script: "Korean",
            title: "중고자전거를 팝니다",
            found: ["자전거", "중고 자전거", "자전", "자", "거", "중고자전거", "팝니다 중고"],
            missed: ["자동차", "전자"]
        ),
        Sample(
            script: "Korean in decomposed letters",
            title: "자전거".decomposedStringWithCanonicalMapping,
            found: ["자전거", "자전거".decomposedStringWithCanonicalMapping],
            missed: ["자동차"]
        ),
        Sample(
            script: "Japanese",
            title: "中古の自転車とカメラ、100円",
            found: ["自転車", "車", "ｶﾒﾗ", "カメラ", "中古 自転車", "100円", "円", "100"],
            missed: ["自動車", "カメラマン"]
        ),
        Sample(
            script: "Chinese",
            title: "二手山地自行车出售",
            found: ["自行车", "山地 自行车", "山地", "车", "二手 自行车"],
            missed: ["汽车", "行自"]
        ),
        Sample(
            script: "Thai",
            title: "จักรยานมือสองสภาพดี",
            found: ["จักรยาน", "มือสอง", "จักรยาน มือสอง"],
            missed: ["รถยนต์"]
        ),
        Sample(
            script: "Latin beside Chinese",
            title: "iPhone手机壳",
            found: ["iphone", "手机", "iphone手机", "iph 壳"],
            missed: ["手壳"]
        ),
    ]

    @Test(arguments: [
        ("Bolt 3.5 mm, steel", ["3.5mm", "3.5 mm", "3,5mm", "3.5MM"], ["4.5mm", "3.5cm"]),
        ("Cable 3.5mm", ["3.5 mm", "3.5mm", "cable 3.5 m"], ["3.5 cm", "4 mm"]),
        (
            "Phone 256GB", ["256 gb", "256 GB", "256gb", "gb 256", "phone 256 g"],
            ["128 gb", "256 tb"]
        ),
        ("Phone 256 GB", ["256gb", "256GB", "256 gb", "phone 256g"], ["128gb", "256tb", "25gb"]),
        ("iPhone 15 black", ["iphone15", "IPHONE 15", "iphone1"], ["iphone14", "black15"]),
        ("iPhone15 black", ["iphone 15", "iphone15", "iphone1"], ["iphone 14"]),
        ("Телефон 256ГБ", ["256 гб", "256гб"], ["128 гб"]),
        ("Телефон 256 ГБ", ["256гб", "256ГБ"], ["128гб"]),
        ("Battery 10000 mAh", ["10000mah", "10000mAh"], ["1000mah"]),
        ("Lens 50mm f2 of 1976", ["50 mm", "f 2", "of1976"], ["50 cm"]),
    ])
    func `finds a number and its unit with and without a blank`(
        title: String,
        found: [String],
        missed: [String]
    ) async throws {
        let harness = try CatalogueHarness()
        let wanted = try await harness.add(SampleListings.record(2, title: title))
        for text in found { #expect(try await harness.find(text) == [wanted], "\(text)") }
        for text in missed { #expect(try await harness.find(text).isEmpty, "\(text)") }
    }

    @Test(arguments: samples)
    private func `finds words in every script`(sample: Sample) async throws {
        let harness = try CatalogueHarness()
        let other = try await harness.add(SampleListings.record(1, title: "Something else"))
        let wanted = try await harness.add(SampleListings.record(2, title: sample.title))
        let told = try await harness.add(
            SampleListings.record(3, title: "Third", description: sample.title)
        )
        for text in sample.found {
            #expect(try await harness.find(text) == [wanted, told], "\(text)")
        }
        for text in sample.missed { #expect(try await harness.find(text).isEmpty, "\(text)") }
        #expect(try await harness.find("something") == [other])
    }

    @Test(arguments: [
        ("Calligraphy \u{FDFA} on paper", ["\u{FDFA}", "صلى الله", "وسلم"]),
        ("Nuts ½ inch", ["½", "½ inch", "1 2 inch"]),
        ("Part ⑴ of ⒛", ["⑴", "part 1", "20", "⒛ ⑴"]),
        ("Lot ㈠", ["㈠", "一", "lot ㈠"]),
        ("Col·lecció paraŀlela", ["paral·lela", "paraŀlela", "col·lecció"]),
    ])
    func `matches a character that stands for several words`(
        title: String,
        texts: [String]
    ) async throws {
        let harness = try CatalogueHarness()
        let wanted = try await harness.add(SampleListings.record(1, title: title))
        for text in texts { #expect(try await harness.find(text) == [wanted], "\(text)") }
    }

    /// A phrase, an empty bracket or a stray quote in a query is an error of FTS5.
    @Test func `no character causes a query error, alone or within a word`() async throws {
        let harness = try CatalogueHarness()
        let scalars = (0...0x10FFFF).compactMap(Unicode.Scalar.init).filter { scalar in
            let form = String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars
            guard !scalar.isASCII else { return true }
            return Array(form) != [scalar]
                && form.contains { $0.isASCII && !$0.properties.isAlphabetic || $0 == "⁄" }
        }
        #expect(scalars.count > 300)
        for scalar in scalars {
            for text in ["\(scalar)", "a\(scalar)b", "日\(scalar)"] {
                let what = "U+\(String(scalar.value, radix: 16)) in \(text)"
                await #expect(throws: Never.self, "\(what)") {
                    _ = try await harness.find(text)
                    _ = try await harness.catalogue.correction(of: text)
                }
            }
        }
    }
}
