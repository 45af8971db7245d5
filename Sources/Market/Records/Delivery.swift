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

    static let wireSchema = WireSchema(
        .message(ShippingLimits.wireSchema),
        .message(WireSchema(.text)),
        .message(WireSchema()),
        oneOf: 1...3
    )

    init(wire: WireFields) throws(RuleFault) {
        switch wire.only {
        case 1: self = .shipping(try ShippingLimits(wire: wire.message(1)))
        case 2:
            self = .pickup(place: wire.message(2).text(1))
            try check()
        case 3: self = .online
        default: throw .missing(.delivery)
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

    var wire: [UInt8] {
        var wire = WireWriter()
        switch self {
        case .shipping(let limits): wire.member(1, limits.wire)
        case .pickup(let place):
            var pickup = WireWriter()
            pickup.write(1, place)
            wire.member(2, pickup.bytes)
        case .online: wire.member(3, [])
        }
        return wire.bytes
    }
}
