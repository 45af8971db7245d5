import Keys
import Market

/// The relation of an offer that arrives to the sale that it names, as final blocks show it.
///
/// Source: Docs/protocol.md, section 19.6.
enum OfferRelation: Sendable {
    /// How much later than the sender's its own time can be.
    private static let lag = Duration.seconds(3_600)

    /// It is for a sale of the recipient, or withdraws the offer for it.
    case ofOwnSale
    /// The sale is not known, or not yet.
    case ofUnknownSale
    /// No node of an honest sender sends it: it is for a sale of somebody else, at no lower price,
    /// or ends too late.
    case void

    /// Returns `nil` for a message that is no offer.
    init?(of message: MailMessage, in view: some ChainView, at now: Timestamp) {
        guard case .priceOffer(let offer) = message.body else { return nil }
        let time = view.time(of: offer.sale.contract.chain) ?? ChainTime(seconds: 0)
        let seconds = max(time.seconds, now.milliseconds / 1_000)
        let end = ChainTime(seconds: seconds).advanced(by: MailPriceOffer.window + Self.lag)
        if let content = offer.content, content.until > end {
            self = .void
            return
        }
        guard let sale = view.sale(offer.sale) else {
            self = .ofUnknownSale
            return
        }
        let isLower = offer.content.map { $0.price < sale.price } ?? true
        self = sale.seller == message.recipient && isLower ? .ofOwnSale : .void
    }
}
