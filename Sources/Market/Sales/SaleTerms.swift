/// The terms of any kind of offer that a listing can state: the registry of ``SaleKindTerms``.
///
/// It is closed, because each case has its own field on the wire.
package enum SaleTerms: Hashable, Sendable {
    case escrow(EscrowTerms)
    case direct(DirectSaleTerms)
    case auction(AuctionTerms)
    case enrolment(CourseTerms)

    package var kind: SaleKind {
        switch self {
        case .escrow: .escrow
        case .direct: .direct
        case .auction: .auction
        case .enrolment: .enrolment
        }
    }

    /// The terms, without their kind.
    package var offer: any SaleKindTerms {
        switch self {
        case .escrow(let terms): terms
        case .direct(let terms): terms
        case .auction(let terms): terms
        case .enrolment(let terms): terms
        }
    }

    /// Checks every limit of the contract that does not depend on time and seller.
    func checkLimits() throws(RuleFault) {
        do { try offer.checkLimits() } catch { throw .terms(error) }
    }

    /// The price; of an auction, the minimum first bid.
    package var price: Amount { offer.price }

    package var currency: Currency { offer.currency }
}

extension SaleTerms {
    /// The form of the message, with a field for each kind.
    package static let wireSchema = WireSchema(
        .message(EscrowTerms.wireSchema),
        .message(DirectSaleTerms.wireSchema),
        .message(AuctionTerms.wireSchema),
        .message(CourseTerms.wireSchema),
        oneOf: 1...4
    )

    /// Reads terms; does not check their limits.
    init(wire: WireFields) throws(RuleFault) {
        self =
            switch wire.only {
            case 1: .escrow(try Self.read(wire.message(1), EscrowTerms.init(wire:)))
            case 2: .direct(try Self.read(wire.message(2), DirectSaleTerms.init(wire:)))
            case 3: .auction(try Self.read(wire.message(3), AuctionTerms.init(wire:)))
            case 4: .enrolment(try Self.read(wire.message(4), CourseTerms.init(wire:)))
            default: throw .missing(.terms)
            }
    }

    private static func read<Terms>(
        _ wire: WireFields,
        _ terms: (WireFields) throws(TermsFault) -> Terms
    ) throws(RuleFault) -> Terms {
        do { return try terms(wire) } catch { throw .terms(error) }
    }

    var wire: [UInt8] {
        var wire = WireWriter()
        switch self {
        case .escrow(let terms): wire.member(1, terms.wire)
        case .direct(let terms): wire.member(2, terms.wire)
        case .auction(let terms): wire.member(3, terms.wire)
        case .enrolment(let terms): wire.member(4, terms.wire)
        }
        return wire.bytes
    }
}
