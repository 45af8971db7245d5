/// A buyer's offer to the seller of a sale to buy at another price: a body of mail.
///
/// Source: Docs/protocol.md, section 19.
package struct MailPriceOffer: SaleMailBody {
    package static let field: UInt64 = 48
    /// How long a buyer can ask to have for the payment, in seconds.
    package static let paymentSeconds: ClosedRange<UInt64> = 3_600...604_800
    /// How far ahead an offer can end.
    package static let window = Duration.days(30)
    /// No offer stands longer; 2⁴⁰ seconds after 1970.
    package static let untilMax = ChainTime(seconds: 1 << 40)
    package static let wireSchema = WireSchema(behindSale: .bytes, .uint64, .uint64)

    /// The content of an offer that stands.
    package struct Content: Hashable, Sendable {
        /// In the currency of the sale.
        package let price: Amount
        /// When it can no longer be accepted.
        package let until: ChainTime
        /// How long the buyer has to pay once it is accepted.
        package let paymentSeconds: UInt64

        /// - Throws: ``RuleFault`` if a value exceeds its limits.
        package init(
            price: Amount,
            until: ChainTime,
            paymentSeconds: UInt64
        ) throws(RuleFault) {
            guard SaleLimits.prices.contains(price) else { throw .malformed(.price) }
            guard until.seconds > 0, until <= MailPriceOffer.untilMax,
                MailPriceOffer.paymentSeconds.contains(paymentSeconds)
            else { throw .malformed(.terms) }
            (self.price, self.until, self.paymentSeconds) = (price, until, paymentSeconds)
        }
    }

    package let sale: SaleReference
    /// `nil` withdraws the sender's earlier offer.
    package let content: Content?

    package init(for sale: SaleReference, _ content: Content?) {
        (self.sale, self.content) = (sale, content)
    }

    package init(for sale: SaleReference, _ wire: WireFields) throws(RuleFault) {
        self.sale = sale
        guard wire.has(4) || wire.has(5) || wire.has(6) else {
            content = nil
            return
        }
        guard let price = Amount(minimal: wire.bytes(4)) else { throw .malformed(.price) }
        content = try Content(
            price: price,
            until: ChainTime(seconds: wire.number(5)),
            paymentSeconds: wire.number(6)
        )
    }

    package func writeDetails(to wire: inout WireWriter) {
        guard let content else { return }
        wire.write(4, content.price.minimalBytes)
        wire.write(5, content.until.seconds)
        wire.write(6, content.paymentSeconds)
    }
}
