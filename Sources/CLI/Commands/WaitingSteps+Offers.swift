import Client
import Texts

extension WaitingSteps {
    /// Adds the offers at other prices that wait for the account, and those after which the node
    /// lists an item again by itself.
    func addOffers(to found: inout Found, _ node: StoaClient) async {
        // An account whose key is elsewhere has none.
        let offers = (try? await node.offers()) ?? []
        let isNamed = offers.contains { $0.state == "open" && $0.buyer != own }
        let names = isNamed ? await Names.of(node, own: own) : .none
        found.steps += offers.compactMap { step($0, names) }
        let reserved = offers.compactMap { offer in
            offer.ifUnpaid.map { words in
                SaleUnderWay(
                    about: DisplayText.line(offer.title),
                    part: "seller",
                    state: DisplayText.line(words.detail),
                    // The words say until when.
                    until: nil
                )
            }
        }
        found.underWay = reserved + found.underWay
    }

    private func step(_ offer: PriceOffer, _ names: Names) -> WaitingStep? {
        let kind: NextStep.Kind
        switch (offer.state, offer.buyer == own) {
        case ("open", false): kind = .acceptOffer
        case ("accepted", true): kind = .payOffer
        case ("lapsed", false) where offer.ifUnpaid == nil: kind = .reopen
        default: return nil
        }
        let id = kind == .acceptOffer ? offer.id : offer.listing
        let step = NextStep(kind, IDText.short(id))
        let price = CurrencyUnits.on(offer.chain) { MoneyText.exact(offer.price) }
        let buyer = kind == .acceptOffer ? " by \(names.short(offer.buyer))" : ""
        return WaitingStep(
            until: kind == .acceptOffer ? offer.until : kind == .payOffer ? offer.payUntil : nil,
            asOf: nil,
            about: "\(DisplayText.line(offer.title)), offered at \(price)\(buyer)",
            step: step.words,
            command: step.command + suffix
        )
    }
}
