package import Answers
package import Client
package import Storage

/// Finds towns by their names and by points.
package struct PlaceSearcher: Sendable {
    private let table: PlaceTable

    package init(table: PlaceTable = .world) { self.table = table }

    /// Returns towns whose name begins with a text, or those nearest to a point.
    ///
    /// - Throws: ``Refusal`` with `malformed_value`.
    package func places(
        named text: String?,
        near point: GeographicPoint?,
        in language: Place.Language,
        limit: Int
    ) throws(Refusal) -> [Place] {
        let name = text.flatMap { PlaceTable.key(of: $0).isEmpty ? nil : $0 }
        switch (name, point) {
        case (let name?, nil):
            return table.towns(named: name, limit: limit).map { match in
                Place(match.town, in: language, isWhole: match.isWhole)
            }
        case (nil, let point?) where text == nil:
            _ = try point.entered(.malformedValue, field: "near")
            return table.towns(
                nearLatitude: point.latitude,
                longitude: point.longitude,
                limit: limit
            )
            .map { Place($0, in: language, isWhole: false) }
        default:
            throw Refusal(.malformedValue, Sentence("refusal.giveTown"), field: "search")
        }
    }
}

extension Place {
    fileprivate init(_ town: PlaceEntry, in language: Language, isWhole: Bool) {
        func name(_ name: PlaceEntry.Name) -> String {
            language == .korean ? name.korean ?? name.english : name.english
        }
        self.init(
            name: name(town.name),
            region: town.region.map(name),
            country: town.country,
            countryName: name(town.countryName),
            point: GeographicPoint(latitude: town.latitude, longitude: town.longitude),
            population: town.population,
            isWhole: isWhole
        )
    }
}
