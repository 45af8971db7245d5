import ArgumentParser
import Client
import Setup

extension PointText {
    /// Checks a point, or a town's name, as far as that needs no node.
    static func check(_ text: String) throws {
        if !isTown(text) { _ = try point(text) }
    }

    /// Returns the point that a text states, or that of the town that it names.
    ///
    /// - Throws: ``Failure`` if no town has such a name, or several have.
    static func point(_ text: String, _ node: StoaClient) async throws -> GeographicPoint {
        guard isTown(text) else { return try point(text) }
        return try PlaceText.meant(try await node.places(named: text), by: text).point
    }

    private static func isTown(_ text: String) -> Bool { text.contains(where: \.isLetter) }
}

/// Finds the town that a person means, and names towns.
enum PlaceText {
    /// At most this many candidates are named.
    private static let candidatesMax = 5

    /// Returns the only one of the towns found that has the whole name, or the only one at all.
    static func meant(_ found: [Place], by text: String) throws -> Place {
        let whole = found.filter(\.isWhole)
        let candidates = whole.isEmpty ? found : whole
        if candidates.count == 1 { return candidates[0] }
        guard !candidates.isEmpty else {
            throw Failure(
                .refused,
                "No town is called \(text.quoted). 'stoa listing places' finds towns; or give "
                    + "latitude and longitude in degrees, such as 52.52,13.405."
            )
        }
        let names = candidates.prefix(candidatesMax).map { name($0).quoted }
        let others = candidates.count > candidatesMax ? ", and more" : ""
        throw Failure(
            .refused,
            "Several towns are called \(text.quoted). Name one of them: "
                + names.joined(separator: ", ") + others + "."
        )
    }

    /// A town's name with its region, if it is known, and the code of its country, as a search
    /// takes it.
    static func name(_ place: Place) -> String {
        [place.name, place.region, place.country].compactMap { $0 }.joined(separator: ", ")
    }
}
