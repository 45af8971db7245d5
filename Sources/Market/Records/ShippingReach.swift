/// Where a listing can be sent, without rare details such as a point: a search index numbers these.
package enum ShippingReach: Hashable, Sendable {
    /// It is shipped everywhere, handed over or delivered online.
    case everywhere
    /// To places within this number of metres from the listing's point.
    case distance(metres: UInt32)
    case places(ShippingLimits.Scope, [String])

    package init(_ delivery: Delivery) {
        guard case .shipping(let limits) = delivery else {
            self = .everywhere
            return
        }
        switch limits.area {
        case .places(let scope, let places): self = .places(scope, places)
        case .distance(let metres, _, _):
            self = metres < ShippingLimits.radiusMetresMax ? .distance(metres: metres) : .everywhere
        }
    }

    /// Reads ``text``; `nil` for any other text.
    package init?(text: String) {
        if text.isEmpty {
            self = .everywhere
        } else if let metres = UInt32(text) {
            self = .distance(metres: metres)
        } else {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            guard let scope = ShippingLimits.Scope(rawValue: String(lines[0])), lines.count > 1
            else { return nil }
            self = .places(scope, lines.dropFirst().map(String.init))
        }
    }

    /// The reach as text: nothing, the metres, or the scope and the places, each on a line.
    package var text: String {
        switch self {
        case .everywhere: ""
        case .distance(let metres): "\(metres)"
        case .places(let scope, let places):
            ([scope.rawValue] + places).joined(separator: "\n")
        }
    }

    /// Whether the seller ships to a destination, as ``ShippingLimits/reach(_:)`` decides.
    ///
    /// - Parameters:
    ///   - destination: Where it would be sent.
    ///   - centre: The listing's point, for a distance.
    /// - Returns: `false` also if the destination is not known exactly enough.
    package func includes(
        _ destination: Destination,
        around centre: ShippingLimits.Point?
    ) -> Bool {
        let area: ShippingLimits.Area
        switch self {
        case .everywhere: return true
        case .distance(let metres):
            guard let centre else { return false }
            area = .distance(metres: metres, centre: centre, place: "-")
        case .places(let scope, let places): area = .places(scope, places)
        }
        return (try? ShippingLimits(area))?.reach(destination) == .within
    }
}
