import Client
import Texts

extension WaitingSteps {
    /// Adds the offers at other prices that wait for the account, and those after which the node
    /// lists an item again by itself.
    func addOffers(to found: inout Found, _ node: StoaClient) async {
        // An account whose key is elsewhere has none.
        let offers = (try? await node.offers()) ?? []
        found.steps += offers.compactMap(step)
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

    private func step(_ offer: PriceOffer) -> WaitingStep? {
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
        return WaitingStep(
            until: kind == .acceptOffer ? offer.until : kind == .payOffer ? offer.payUntil : nil,
            asOf: nil,
            about: "\(DisplayText.line(offer.title)), offered at \(price)",
            step: step.words,
            command: step.command + suffix
        )
    }
}
