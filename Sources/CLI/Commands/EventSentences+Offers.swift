import Client

/// Offers of prices, proposals to settle, and things that are listed again.
extension EventSentences.Subject {
    /// Adds what the node knows about an offer in a message, or about a sale that answers one.
    mutating func addOffer(for event: Event, _ own: String?, _ node: StoaClient) async {
        switch event.type {
        case "message" where event.data["kind"] == "offer":
            offer = await offers(node).first { offer in
                offer.buyer == event.data["sender"] && offer.state == "open"
            }
        case "sale" where sale?.stage == "offered" && sale?.seller != own:
            offer = await offers(node).first { offer in
                offer.buyer == own && offer.listing == sale?.listing && offer.state == "accepted"
            }
        case "sale" where sale?.phase == "aborted" && sale?.seller == own:
            // The thing is offered again within the same operation.
            let page = try? await node.operations(limit: 20)
            isListedAgain =
                sale?.listedAgain != nil
                || page?.items.contains { operation in
                    operation.isRunning && operation.kind == .edit
                        && operation.subject == sale?.listing && operation.subject != nil
                } == true
        default: break
        }
    }

    /// The offers at other prices, newest first; an account whose key is elsewhere has none.
    private func offers(_ node: StoaClient) async -> [PriceOffer] {
        ((try? await node.offers()) ?? []).sorted { $0.sentAt > $1.sentAt }
    }
}

extension EventSentences {
    /// Tells that somebody offers another price, or no longer does.
    func priceOffer(from sender: String, _ offer: PriceOffer?) -> String {
        guard let offer else {
            return "\(names.short(sender)) has changed an offer: "
                + NextStep(.offers).command
        }
        let price = CurrencyUnits.on(offer.chain) { MoneyText.exact(offer.price) }
        return "\(names.short(sender)) offers \(price) for '\(DisplayText.line(offer.title))': "
            + NextStep(.acceptOffer, IDText.short(offer.id)).command
    }

    /// Tells that the seller has accepted an offer of the account; `nil` if this is no acceptance.
    func acceptance(_ offer: PriceOffer?, of title: String) -> String? {
        guard let offer, offer.state == "accepted", offer.buyer == names.own else { return nil }
        let until = offer.payUntil.map { " until \(TimeText.text($0))" } ?? ""
        return "The seller of \(title) has accepted your offer. Pay it\(until): "
            + NextStep(.payOffer, IDText.short(offer.listing)).command
    }

    /// Tells the other side's proposal in a sale; `nil` if the event has none that still stands.
    func proposal(_ event: Event, in sale: Sale, _ title: String) -> String? {
        guard let key = Self.proposalKey(event), let share = event.data[key], let own = names.own,
            let standing = sale.proposals.first(where: {
                $0.by != own && "\($0.share)" == share
            }), let step = NextStep.of(sale).first(where: { $0.kind == .agree })
        else { return nil }
        return "\(title): \(names.short(standing.by)) proposes that the seller gets "
            + "\(ShareText.text(standing.share)) of the price. " + step.text
    }

    /// The field of an event that has the share which the other side of the account proposes.
    static func proposalKey(_ event: Event) -> String? {
        switch event.data["role"] {
        case "seller": "buyerProposal"
        case "buyer": "sellerProposal"
        default: nil
        }
    }
}
