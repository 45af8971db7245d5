import ArgumentParser
import Client

/// Where a buyer wants an item sent.
struct ShipToOptions: ParsableArguments {
    @Option(
        help: """
            Where to ship to: a country code such as DE, or 'Bavaria, DE', or 'Munich, Bavaria, DE'. \
            Defaults to your delivery address.
            """
    )
    var shipTo: String?
    @Option(
        parsing: .unconditional,
        help: """
            The same as a town, or as latitude and longitude in degrees, such as 48.137,11.575.
            """
    )
    var shipToPoint: String?

    func validate() throws {
        if let shipToPoint { try PointText.check(shipToPoint) }
    }

    /// Returns the point that was entered, or that of the town that was.
    func point(_ node: StoaClient) async throws -> GeographicPoint? {
        guard let shipToPoint else { return nil }
        return try await PointText.point(shipToPoint, node)
    }
}

/// How far from a place a seller ships.
struct ShipsWithinOptions: ParsableArguments {
    @Option(help: "Ship only to less than this distance, such as '50 km' or '800 m'.")
    var shipsWithin: String?
    @Option(help: "The name of the place from which the distance is measured, such as Berlin.")
    var around: String?
    @Option(
        parsing: .unconditional,
        help: """
            The latitude and longitude of that place in degrees, such as 52.52,13.405. Defaults to \
            the town of that name.
            """
    )
    var aroundPoint: String?

    func validate() throws {
        guard let shipsWithin else {
            guard around == nil, aroundPoint == nil else {
                throw ValidationError("--around and --around-point need --ships-within.")
            }
            return
        }
        guard let around else {
            throw ValidationError("--ships-within needs a place: give its name with --around.")
        }
        _ = try Self.metres(shipsWithin)
        try PointText.check(aroundPoint ?? around)
    }

    /// Returns the distance that was entered; `nil` if none was.
    func distance(_ node: StoaClient) async throws -> ShippingDistance? {
        guard let shipsWithin, let around else { return nil }
        return ShippingDistance(
            metres: try Self.metres(shipsWithin),
            place: around,
            point: try await PointText.point(aroundPoint ?? around, node)
        )
    }

    /// Reads a number of metres or kilometres.
    static func metres(_ text: String) throws -> UInt32 {
        let folded = text.lowercased().filter { !$0.isWhitespace }
        let (digits, unit): (Substring, Double) =
            folded.hasSuffix("km")
            ? (folded.dropLast(2), 1_000)
            : (folded.hasSuffix("m") ? folded.dropLast() : folded[...], 1)
        guard let number = Double(digits), number > 0, number * unit < Double(UInt32.max) else {
            throw ValidationError("'\(text)' is not a distance. Write it as '50 km' or '800 m'.")
        }
        return UInt32(number * unit)
    }
}

/// Reads and formats points on Earth.
enum PointText {
    static func point(_ text: String) throws -> GeographicPoint {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { Double($0.filter { !$0.isWhitespace }) }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        else {
            throw ValidationError(
                "'\(text)' is not a point. Write latitude and longitude in degrees, such as "
                    + "52.52,13.405."
            )
        }
        return GeographicPoint(latitude: latitude, longitude: longitude)
    }

    static func text(_ point: GeographicPoint) -> String { "\(point.latitude),\(point.longitude)" }

    /// Formats a distance such as `800 m`, or `50 km` from 10 km on.
    static func distance(_ metres: UInt32) -> String {
        metres < 10_000 ? "\(metres) m" : "\(metres / 1_000) km"
    }
}
