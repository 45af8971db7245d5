import Foundation

extension ShippingLimits.Point {
    /// The mean radius of the Earth (IUGG 1980, R1).
    private static let earthRadiusMetres = 6_371_008.8
    private static let unitsPerDegree = 10_000_000.0

    /// Reads degrees of WGS 84, north and east positive.
    ///
    /// - Returns: `nil` if the point is not on Earth.
    package init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.init(
            latitudeE7: Int32((latitude * Self.unitsPerDegree).rounded()),
            longitudeE7: Int32((longitude * Self.unitsPerDegree).rounded())
        )
    }

    package var latitude: Double { Double(latitudeE7) / Self.unitsPerDegree }
    package var longitude: Double { Double(longitudeE7) / Self.unitsPerDegree }

    /// Returns the distance on the great circle, by the haversine formula on a sphere.
    ///
    /// It differs from that on the ellipsoid by at most 0.6 percent.
    package func metres(to other: Self) -> Double {
        let (from, to) = (latitude * .pi / 180, other.latitude * .pi / 180)
        let north = sin((to - from) / 2)
        let east = sin((other.longitude - longitude) * .pi / 360)
        let square = north * north + cos(from) * cos(to) * east * east
        // Rounding must not leave the range of the arc sine.
        return 2 * Self.earthRadiusMetres * asin(min(1, square.squareRoot()))
    }
}
