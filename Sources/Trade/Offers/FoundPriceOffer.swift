import Answers
import Client
import Foundation
import Keys
import Market

/// A buyer's offer to buy at another price, with the node's knowledge about what it is for.
struct FoundPriceOffer: Sendable {
    /// How far it is, by its name in the API.
    enum State: String {
        case open, expired, accepted, lapsed, paid, over
    }

    let buyer: Address
    /// The sale at whose listing it was made.
    let offered: Market.Sale
    let content: MailPriceOffer.Content
    /// By its sender's clock.
    let sentAt: Date
    let listing: FoundListing
    /// The sale with which the listing is on sale now.
    let current: Market.Sale
    /// Whether a stranger made it, whom its seller has not answered.
    var isRequest = false
    /// How a later sale that its buyer could buy differs from the offer; `nil` if there is none.
    let differences: [Sentence]?
    /// Whether the later sale is reserved for its buyer.
    let isAnswered: Bool

    var sale: SaleReference { offered.reference }

    init(
        _ content: MailPriceOffer.Content,
        for offered: Market.Sale,
        from buyer: Address,
        sentAt: Date,
        _ listing: FoundListing,
        as current: Market.Sale
    ) {
        (self.content, self.offered, self.buyer) = (content, offered, buyer)
        (self.sentAt, self.listing, self.current) = (sentAt, listing, current)
        let answer = OfferAnswer(content, for: offered, from: buyer, listing, as: current)
        differences = answer?.differences
        isAnswered = answer?.isReserved == true
    }

    /// Returns the offer beside a later state of its listing.
    func now(_ listing: FoundListing, as current: Market.Sale) -> FoundPriceOffer {
        FoundPriceOffer(content, for: offered, from: buyer, sentAt: sentAt, listing, as: current)
    }

    /// Takes an accepted offer from its reservation; `nil` if none can have been accepted so.
    init?(
        _ reservation: Reservation,
        of sale: Market.Sale,
        after before: Market.Sale,
        _ listing: FoundListing
    ) {
        let listedAt = sale.listedAt.time
        let seconds = reservation.until.seconds - min(listedAt.seconds, reservation.until.seconds)
        let times = MailPriceOffer.paymentSeconds
        let content = try? MailPriceOffer.Content(
            price: sale.price,
            until: listedAt,
            paymentSeconds: min(max(seconds, times.lowerBound), times.upperBound)
        )
        guard let content else { return nil }
        self.init(
            content,
            for: before,
            from: reservation.buyer,
            sentAt: listedAt.date,
            listing,
            as: sale
        )
    }

    /// The hash of the content and its sender, so that nobody accepts another one than was shown.
    var id: Bytes32 {
        let mail = MailPriceOffer(for: sale, content).body.content
        return Keccak256.hash(Array("offer".utf8) + buyer.bytes + mail)
    }

    /// The time by which the buyer must pay, if the thing is reserved as was offered.
    private var reservation: Reservation? {
        isAccepted ? current.state.offer?.offer.reservation : nil
    }

    /// Whether the seller has accepted it as it was made.
    var isAccepted: Bool { isAnswered && differences?.isEmpty == true }

    /// Refuses to withdraw what has been accepted: the sale stands for its buyer, whatever mail
    /// says.
    func requireRevocable(at time: ChainTime) throws(Refusal) {
        switch state(at: time) {
        case .accepted:
            let until = reservation?.until.value ?? content.until.value
            throw Refusal(.moveNotOpen, Sentence("refusal.offerAccepted", ["time": until]))
        case .paid: throw Refusal(.moveNotOpen, Sentence("refusal.offerPaid"))
        case .open, .expired, .lapsed, .over: return
        }
    }

    /// Returns its place in an account's list.
    func rank(for account: Address) -> PriceOfferRank {
        if isAccepted || buyer == account { return .own }
        return isRequest ? .request : .contact
    }

    func state(at time: ChainTime) -> State {
        guard current.reference != sale else {
            guard current.isOffered(at: time) else { return .over }
            return time < content.until ? .open : .expired
        }
        guard isAccepted else { return .over }
        if current.buyer == buyer { return .paid }
        // The seller, or the seller's node, can have withdrawn it once the time was over.
        return current.isOffered(at: time) ? .accepted : .lapsed
    }

    /// Returns the offer in the API's form.
    func shown(at time: ChainTime) -> PriceOffer {
        let state = state(at: time)
        return PriceOffer(
            id: id.hex,
            listing: listing.id.description,
            title: listing.listing.title,
            buyer: buyer.checksummed,
            price: Money(content.price, current.currency),
            listedPrice: Money(current.price, current.currency),
            chain: sale.contract.chain.number,
            sentAt: sentAt,
            until: content.until.date,
            paymentSeconds: content.paymentSeconds,
            state: state.rawValue,
            payUntil: [.accepted, .lapsed].contains(state) ? reservation?.until.date : nil,
            reason: differences.flatMap { OfferAnswer.words(of: $0, isReserved: isAnswered) }
        )
    }
}
