/// How the goods reach the buyer.
package enum Delivery: Hashable, Sendable {
    case shipping(ShippingLimits)
    /// The buyer collects them at this place.
    case pickup(place: String)
    case online

    /// The method without its details.
    package enum Method: String, CaseIterable, Sendable {
        case shipping, pickup, online
    }

    package static let placeByteCountMax = 160

    package var method: Method {
        switch self {
        case .shipping: .shipping
        case .pickup: .pickup
        case .online: .online
        }
    }

    /// The point around which it is shipped; `nil` if the listing states none, or is shipped
    /// everywhere, which is written as a distance from any point that excludes nothing.
    package var point: ShippingLimits.Point? {
        guard case .shipping(let limits) = self,
            case .distance(let metres, let centre, _) = limits.area,
            metres < ShippingLimits.radiusMetresMax
        else { return nil }
        return centre
    }

    init(wire: WireDelivery) throws(RuleFault) {
        switch wire.method {
        case .shipping(let limits):
            self = .shipping(try ShippingLimits(wire: limits))
        case .pickup(let pickup):
            self = .pickup(place: pickup.place)
            try check()
        case .online: self = .online
        case nil: throw .missing(.delivery)
        }
    }

    /// Checks what another program, or a person, may have written.
    ///
    /// The limits of shipping are checked when they are made.
    package func check() throws(RuleFault) {
        if case .pickup(let place) = self { _ = try Self.place(place) }
    }

    static func place(_ text: String) throws(RuleFault) -> String {
        try PlainText.line(text, .delivery, byteCountMax: placeByteCountMax)
    }

    var wire: WireDelivery {
        var wire = WireDelivery()
        switch self {
        case .shipping(let limits): wire.shipping = limits.wire
        case .pickup(let place): wire.pickup.place = place
        case .online: wire.online = WireOnline()
        }
        return wire
    }
}
