import Answers
import Client
import Testing
import Trade

/// The search for towns as the API answers it.
struct PlaceSearcherTests {
    private static func places(
        _ text: String?,
        near point: GeographicPoint? = nil,
        in language: Place.Language = .english
    ) throws(Refusal) -> [Place] {
        try PlaceSearcher().places(named: text, near: point, in: language, limit: 3)
    }

    @Test func `names towns in the language that was asked for`() throws {
        let munich = try #require(try Self.places("munich").first)
        #expect(munich.name == "Munich" && munich.region == "Bavaria" && munich.isWhole)
        #expect(munich.country == "DE" && munich.countryName == "Germany")
        let korean = try #require(try Self.places("뮌헨", in: .korean).first)
        #expect(korean.name == "뮌헨" && korean.countryName == "독일")
        #expect(korean.point == munich.point && korean.population == munich.population)
        #expect(try Self.places("nowhere at all").isEmpty)
    }

    @Test func `names the towns nearest to a point`() throws {
        let point = GeographicPoint(latitude: 37.57, longitude: 126.98)
        let found = try Self.places(nil, near: point, in: .korean)
        #expect(found.first?.name == "서울" && found.count == 3)
        #expect(found.allSatisfy { !$0.isWhole })
    }

    /// - From people: a search for towns without letters, or with both a name and a point →
    ///   malformed_value
    @Test func `needs the beginning of a name, or a point on Earth`() {
        let point = GeographicPoint(latitude: 1, longitude: 2)
        for (text, near) in [(nil, nil), ("", nil), (" , ", nil), ("a", point), ("", point)]
            as [(String?, GeographicPoint?)]
        {
            let refusal = #expect(throws: Refusal.self) { try Self.places(text, near: near) }
            #expect(refusal?.code == .malformedValue && refusal?.field == "search")
        }
        for latitude in [91, -Double.infinity, Double.nan] {
            let point = GeographicPoint(latitude: latitude, longitude: 0)
            let refusal = #expect(throws: Refusal.self) { try Self.places(nil, near: point) }
            #expect(refusal?.field == "near")
        }
    }
}
