import Client
import Testing

@testable import CLI

/// Towns that stand for points in options.
struct PlaceTextTests {
    private static func town(
        _ name: String,
        _ region: String?,
        _ country: String,
        isWhole: Bool
    ) -> Place {
        Place(
            name: name,
            region: region,
            country: country,
            countryName: "",
            point: GeographicPoint(latitude: 1, longitude: 2),
            population: 20_000,
            isWhole: isWhole
        )
    }

    private static let london = town("London", "England", "GB", isWhole: true)
    private static let other = town("London", "Ontario", "CA", isWhole: true)
    private static let derry = town("Londonderry", nil, "GB", isWhole: false)

    @Test func `the only town of a name is meant, or the only one that begins so`() throws {
        #expect(try PlaceText.meant([Self.london, Self.derry], by: "london") == Self.london)
        #expect(try PlaceText.meant([Self.derry], by: "londond") == Self.derry)
        #expect(PlaceText.name(Self.derry) == "Londonderry, GB")
    }

    /// - From commands: a town's name that several towns have → exit 10, with the candidates
    /// - From commands: a name that no town has → exit 10
    @Test func `refuses a name of several towns, and one of none`() {
        let several = #expect(throws: Failure.self) {
            try PlaceText.meant([Self.london, Self.other, Self.derry], by: "london")
        }
        let names = "'London, England, GB', 'London, Ontario, CA'."
        #expect(several?.message.hasSuffix(names) == true && several?.code == .refused)
        let none = #expect(throws: Failure.self) { try PlaceText.meant([], by: "x") }
        #expect(none?.message.hasPrefix("No town is called 'x'.") == true)
        let many = #expect(throws: Failure.self) {
            try PlaceText.meant(Array(repeating: Self.other, count: 6), by: "london")
        }
        #expect(many?.message.hasSuffix(", and more.") == true)
    }

    @Test func `a text with letters is a town, another one a point`() throws {
        try PointText.check("München")
        try PointText.check("48.1, -11.5")
        for text in ["91,0", "1", "", "1,2,3"] {
            #expect(throws: (any Error).self) { try PointText.check(text) }
        }
    }
}
