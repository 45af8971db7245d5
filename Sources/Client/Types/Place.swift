/// A town, from GeoNames.
public struct Place: Codable, Hashable, Sendable, DescribedType {
    /// A language in which places have names.
    public enum Language: String, CaseIterable, Codable, Sendable {
        case english = "en"
        case korean = "ko"
    }

    /// In the language that was asked for; if there is none, in English or a local language.
    public var name: String
    /// The state or province; `nil` outside of the countries whose regions the node knows.
    public var region: String?
    /// The ISO 3166 code.
    public var country: String
    public var countryName: String
    public var point: GeographicPoint
    /// Rounded down to tens.
    public var population: Int
    /// Whether the search has a whole name of it, not only its beginning.
    public var isWhole: Bool

    package static let fields: [String: FieldFacts] = [
        "name": FieldFacts("Munich").about(
            "In the language that was asked for; if there is none, in English or a local language."
        ),
        "region": FieldFacts("Bavaria").about(
            "The state or province, in countries whose regions the node knows."
        ),
        "country": FieldFacts("DE").about("The ISO 3166 code."),
        "countryName": "Germany",
        "population": FieldFacts(1_505_000).about("The number of people, rounded down to tens."),
        "isWhole": FieldFacts(true).about(
            "Whether the search has a whole name of it, not only its beginning."
        ),
    ]

    public init(
        name: String,
        region: String? = nil,
        country: String,
        countryName: String,
        point: GeographicPoint,
        population: Int,
        isWhole: Bool
    ) {
        (self.name, self.region, self.country) = (name, region, country)
        (self.countryName, self.point) = (countryName, point)
        (self.population, self.isWhole) = (population, isWhole)
    }
}
