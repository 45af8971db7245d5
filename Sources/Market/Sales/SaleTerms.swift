/// The terms of any kind of offer that a listing can state: the registry of ``OfferTerms``.
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
    package var offer: any OfferTerms {
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

    /// The price; of an auction, the least first bid.
    package var price: Amount { offer.price }

    package var currency: Currency { offer.currency }
}

extension SaleTerms {
    /// The form of the message, with a field for each kind.
    package static let form = PayloadForm(
        .message(EscrowTerms.form),
        .message(DirectSaleTerms.form),
        .message(AuctionTerms.form),
        .message(CourseTerms.form),
        isOneOf: true
    )

    /// Reads terms; does not check their limits.
    init(wire: WireTerms) throws(RuleFault) {
        switch wire.method {
        case .escrow(let terms):
            do { self = .escrow(try EscrowTerms(wire: terms)) } catch { throw .terms(error) }
        case .direct(let terms):
            do { self = .direct(try DirectSaleTerms(wire: terms)) } catch { throw .terms(error) }
        case .auction(let terms):
            do { self = .auction(try AuctionTerms(wire: terms)) } catch { throw .terms(error) }
        case .course(let terms):
            do { self = .enrolment(try CourseTerms(wire: terms)) } catch { throw .terms(error) }
        case nil: throw .missing(.terms)
        }
    }

    var wire: WireTerms {
        var wire = WireTerms()
        switch self {
        case .escrow(let terms): wire.escrow = terms.wire
        case .direct(let terms): wire.direct = terms.wire
        case .auction(let terms): wire.auction = terms.wire
        case .enrolment(let terms): wire.course = terms.wire
        }
        return wire
    }
}
