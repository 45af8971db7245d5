import ArgumentParser
import Client

/// The command `stoa listing places`.
struct ListingPlaces: ReaderCall {
    static let configuration = CommandConfiguration(
        commandName: "places",
        abstract: "Find towns by name or near a point, for --near, --around and the like.",
        discussion: """
            The towns have at least 15,000 people and are those of GeoNames (CC BY 4.0). Those of \
            exactly that name come first, then larger before smaller ones. After a comma, name the \
            region or the country.
            """
    )
    static let examples = [
        "listing places munich", "listing places 'springfield, US'",
        "listing places --near 48.137,11.575",
    ]

    @Argument(help: "The beginning of a town's name, such as 'London, CA'.")
    var words: [String] = []
    @Option(
        parsing: .unconditional,
        help: "Find the towns nearest to this point: latitude and longitude in degrees."
    )
    var near: String?
    @Option(help: "The language of the names: en or ko.") var lang = "en"
    @Option(parsing: .unconditional, help: "How many to show, at most 100.") var limit = 20
    @OptionGroup var options: CallOptions

    func validate() throws {
        guard words.isEmpty != (near == nil) else {
            throw ValidationError("Give the beginning of a town's name, or --near.")
        }
        if let near { _ = try PointText.point(near) }
        guard Place.Language(rawValue: lang) != nil else {
            throw ValidationError("--lang is en or ko.")
        }
    }

    func call(_ node: StoaClient, own: String?) async throws {
        let language = Place.Language(rawValue: lang) ?? .english
        let found: [Place] =
            if let near {
                try await node.places(
                    near: try PointText.point(near),
                    in: language,
                    limit: limit
                )
            } else {
                try await node.places(
                    named: words.joined(separator: " "),
                    in: language,
                    limit: limit
                )
            }
        try options.output.show(found) { found in
            var table = TextTable("town", "country", "point", "people")
            for place in found {
                table.add(
                    DisplayText.line(PlaceText.name(place)),
                    DisplayText.line(place.countryName),
                    PointText.text(place.point),
                    "\(place.population)"
                )
            }
            return table.text(orElse: "No town's name begins so.")
        }
    }
}
