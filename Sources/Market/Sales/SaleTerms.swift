/// The terms of any kind of offer that a listing can state: the registry of ``OfferTerms``.
///
/// It is closed, because each case has its own field on the wire.
package enum SaleTerms: Hashable, Sendable {
    case escrow(EscrowTerms)

    package var kind: SaleKind {
        switch self {
        case .escrow: .escrow
        }
    }

    /// The terms, without their kind.
    package var offer: any OfferTerms {
        switch self {
        case .escrow(let terms): terms
        }
    }

    /// Checks every limit of the contract that does not depend on time and seller.
    func checkLimits() throws(RuleFault) {
        do { try offer.checkLimits() } catch { throw .terms(error) }
    }

    package var price: Amount {
        switch self {
        case .escrow(let terms): terms.price
        }
    }

    package var currency: Currency {
        switch self {
        case .escrow(let terms): terms.currency
        }
    }
}

extension SaleTerms {
    /// The form of the message, with a field for each kind.
    package static let form = PayloadForm(
        .message(EscrowTerms.form),
        isOneOf: true
    )

    /// Reads terms; does not check their limits.
    init(wire: WireTerms) throws(RuleFault) {
        switch wire.method {
        case .escrow(let terms):
            do {
                self = .escrow(try EscrowTerms(wire: terms))
            } catch {
                throw .terms(TermsFault(error))
            }
        case nil: throw .missing(.terms)
        }
    }

    var wire: WireTerms {
        var wire = WireTerms()
        switch self {
        case .escrow(let terms): wire.escrow = terms.wire
        }
        return wire
    }
}
