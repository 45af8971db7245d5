import Testing

@testable import Storage

/// The table of towns in the program.
struct PlaceTableTests {
    private static let table = PlaceTable.world

    private static func names(_ text: String, limit: Int = 5) -> [String] {
        table.towns(named: text, limit: limit).map(\.town.name.english)
    }

    @Test func `finds each town by each of its names`() {
        let keys = Self.table.keys()
        #expect(keys.count > Self.table.townCount && Self.table.townCount > 30_000)
        var known: [Int: Set<String>] = [:]
        for (key, rank) in keys { known[rank, default: []].insert(key) }
        var lost: [String] = []
        for rank in 0..<Self.table.townCount {
            let name = Self.table[rank].name
            for text in [name.english, name.korean].compactMap({ $0 })
            where known[rank]?.contains(PlaceTable.key(of: text)) != true {
                lost.append(text)
            }
        }
        #expect(lost.isEmpty)
    }

    @Test func `its index is sorted as the search compares`() {
        let keys = Self.table.keys().map { Array($0.key.utf8) }
        #expect(zip(keys, keys.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) })
    }

    @Test func `towns stand by size, and each has a point and a country`() {
        let towns = (0..<Self.table.townCount).map { Self.table[$0] }
        #expect(zip(towns, towns.dropFirst()).allSatisfy { $0.population >= $1.population })
        #expect(towns.allSatisfy { $0.country.count == 2 && !$0.countryName.english.isEmpty })
        #expect(towns.allSatisfy { (-90...90).contains($0.latitude) })
        #expect(towns.allSatisfy { (-180...180).contains($0.longitude) })
        #expect(towns.allSatisfy { $0.population >= 15_000 })
    }

    @Test(arguments: [
        ("munich", "Munich"), ("München", "Munich"), ("MUENCHEN", "Munich"), ("뮌헨", "Munich"),
        ("서울", "Seoul"), ("서우", "Seoul"), ("부산", "Busan"), ("  new york  ", "New York City"),
        ("são paulo", "São Paulo"), ("Sao Pau", "São Paulo"), ("xi'an", "Xi’an"),
    ])
    func `finds a town however its name is typed`(text: String, name: String) {
        #expect(Self.names(text).first == name)
    }

    /// - From the network: a place with thousands of commas, each of which costs a look at all towns
    @Test func `a text with more commas than a place has finds nothing`() {
        #expect(Self.names("munich, bavaria, germany").first == "Munich")
        #expect(Self.names("munich,,,de").first == "Munich")
        #expect(Self.names("munich,,,,de").isEmpty)
        #expect(Self.names("s" + String(repeating: ",u", count: 10_000)).isEmpty)
    }

    @Test func `a whole name comes before longer ones, a large town before a small one`() throws {
        let hof = try #require(Self.table.towns(named: "hof", limit: 1).first)
        #expect(hof.isWhole && hof.town.region?.english == "Bavaria")
        let springfields = Self.table.towns(named: "springfield", limit: 3)
        #expect(springfields.allSatisfy(\.isWhole) && springfields.count == 3)
        let sizes = springfields.map(\.town.population)
        #expect(sizes == sizes.sorted(by: >))
        #expect(Self.table.towns(named: "muni", limit: 9).allSatisfy { !$0.isWhole })
    }

    @Test func `region and country tell towns of one name apart`() {
        func regions(_ text: String) -> [String?] {
            Self.table.towns(named: text, limit: 9).map(\.town.region?.english)
        }
        #expect(regions("springfield, illinois, us") == ["Illinois"])
        #expect(regions("Springfield, Illi") == ["Illinois"])
        #expect(Self.table.towns(named: "london, CA", limit: 9).map(\.town.country) == ["CA"])
        #expect(Self.table.towns(named: "런던, 캐나다", limit: 9).map(\.town.country) == ["CA"])
        #expect(regions("springfield, DE").isEmpty)
    }

    @Test(arguments: ["", " ", ",", ", DE", "…", "qqqq", "\u{D7A3}", "\u{10FFFF}"])
    func `finds nothing for a text that begins no name`(text: String) {
        #expect(Self.names(text).isEmpty)
    }

    @Test func `finds the towns nearest to a point, also over the date line`() {
        let near = Self.table.towns(nearLatitude: 48.14, longitude: 11.58, limit: 2)
        #expect(near.count == 2 && near.first?.name.english == "Munich")
        let fiji = Self.table.towns(nearLatitude: -17, longitude: -179.9, limit: 1)
        #expect(fiji.first?.country == "FJ")
        let pole = Self.table.towns(nearLatitude: 90, longitude: 0, limit: 1)
        #expect(pole.count == 1)
    }

    @Test func `refuses bytes that are not a table`() {
        for bytes in [[], Array("STOATOWN".utf8), Array("STOATOWN".utf8) + [0, 0, 0, 9]] {
            #expect(throws: DamagedPlaceTable.self) { try PlaceTable(bytes) }
        }
    }
}
