import Foundation

extension PlaceTable {
    /// A town that a search has found.
    package struct Match: Hashable, Sendable {
        package let town: PlaceEntry
        /// Whether the search has a whole name of it, not only its beginning.
        package let isWhole: Bool
    }

    /// Returns the towns whose name begins with a text: those with exactly that name first, and
    /// larger ones before smaller ones.
    ///
    /// After a comma the text may name the region or the country, such as `Munich, DE`. No place has
    /// a text with more than ``commasMax`` commas.
    package func towns(named text: String, limit: Int) -> [Match] {
        let parts = text.split(
            separator: ",",
            maxSplits: Self.commasMax + 1,
            omittingEmptySubsequences: false
        ).map { Self.key(of: String($0)) }
        guard parts.count <= Self.commasMax + 1, let name = parts.first, !name.isEmpty else {
            return []
        }
        let outer = parts.dropFirst().filter { !$0.isEmpty }
        let found = ranks(ofPrefix: name).sorted { one, other in
            (one.value ? 0 : 1, one.key) < (other.value ? 0 : 1, other.key)
        }
        // Many towns share a region and a country, whose names are folded once.
        var folded: [String: String] = [:]
        func key(of name: String) -> String {
            if let key = folded[name] { return key }
            let key = Self.key(of: name)
            folded[name] = key
            return key
        }
        var matches: [Match] = []
        for (rank, isWhole) in found where matches.count < limit {
            let town = self[rank]
            guard outer.allSatisfy({ town.isIn($0, folding: key) }) else { continue }
            matches.append(Match(town: town, isWhole: isWhole))
        }
        return matches
    }

    /// The most commas in the text of a place: its region, its country, and one more.
    private static var commasMax: Int { 3 }

    /// Returns the towns nearest to a point, by the great circle.
    package func towns(
        nearLatitude latitude: Double,
        longitude: Double,
        limit: Int
    ) -> [PlaceEntry] {
        let here = Direction(latitude: latitude, longitude: longitude)
        var nearest: [(closeness: Double, rank: Int)] = []
        for rank in 0..<townCount {
            let point = point(ofRank: rank)
            let there = Direction(latitude: point.latitude, longitude: point.longitude)
            let closeness = here.cosine(to: there)
            if nearest.count == limit, let last = nearest.last, last.closeness >= closeness {
                continue
            }
            let index = nearest.firstIndex { $0.closeness < closeness } ?? nearest.endIndex
            nearest.insert((closeness, rank), at: index)
            if nearest.count > limit { nearest.removeLast() }
        }
        return nearest.map { self[$0.rank] }
    }

    /// Returns a name in the form of the index: its words in small, plain letters.
    package static func key(of name: String) -> String {
        CatalogueWords.words(in: name)
            .compactMap { CatalogueWords.spellings(of: $0).first }
            .joined(separator: " ")
    }
}

extension PlaceEntry {
    /// Whether a key is the country's code, or the beginning of the region's or country's name.
    fileprivate func isIn(_ key: String, folding fold: (String) -> String) -> Bool {
        if key == country.lowercased() { return true }
        let names = [region, countryName].compactMap { $0 }.flatMap { [$0.english, $0.korean] }
        return names.compactMap { $0 }.contains { fold($0).hasPrefix(key) }
    }
}

/// A point on the globe, as a vector of length 1.
private struct Direction {
    let (x, y, z): (Double, Double, Double)

    init(latitude: Double, longitude: Double) {
        let (north, east) = (latitude * .pi / 180, longitude * .pi / 180)
        (x, y, z) = (cos(north) * cos(east), cos(north) * sin(east), sin(north))
    }

    func cosine(to other: Direction) -> Double { x * other.x + y * other.y + z * other.z }
}
