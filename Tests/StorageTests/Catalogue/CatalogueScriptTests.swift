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
            found: ["kaffeemuhle cafe", "KAFFEEMUEHLE", "creme brulee", "den ban", "Đèn"],
            missed: ["kaffeemuhlen", "affee"]
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
            found: ["велосипед", "ВЕЛО", "горн вел", "чай"],
            missed: ["велик", "чаи"]
        ),
        Sample(
            script: "Hebrew",
            title: "אופניים בְּמַצָּב טוב",
            found: ["אופניים", "אופנ", "במצב"],
            missed: ["אופנוע"]
        ),
        Sample(
            script: "Arabic",
            title: "دراجة هوائية مُسْتَعْمَلَة آلة",
            found: ["دراجة", "مستعملة", "الة", "هوا"],
            missed: ["سيارة"]
        ),
        Sample(
            script: "Devanagari",
            title: "पुरानी साइकिल",
            found: ["साइकिल", "साइ", "पुरानी साइकिल"],
            missed: ["गाड़ी"]
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

    @Test(arguments: samples)
    private func `words are found in each script`(sample: Sample) async throws {
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
}
