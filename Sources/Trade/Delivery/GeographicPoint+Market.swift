import Answers
package import Client
package import Market

extension GeographicPoint {
    /// A point as the API writes it.
    package init(_ point: ShippingLimits.Point) {
        self.init(latitude: point.latitude, longitude: point.longitude)
    }

    /// Returns the point that was entered.
    ///
    /// - Throws: ``Refusal`` with the code and field given if it is not on Earth.
    func entered(
        _ problem: ProblemCode,
        field: String
    ) throws(Refusal) -> ShippingLimits.Point {
        guard let point = ShippingLimits.Point(latitude: latitude, longitude: longitude) else {
            throw Refusal(problem, Sentence("refusal.pointRange"), field: field)
        }
        return point
    }
}
