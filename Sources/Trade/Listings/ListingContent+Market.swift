import Answers
package import Client
import Contracts
import Ethereum
package import Keys
package import Market
import MediaFiles
import Setup

extension ListingContent {
    /// A listing's content as the API writes it.
    package init(_ listing: Market.Listing) {
        var shipsTo: [String] = []
        var pickupPlace: String?
        var within: ShippingDistance?
        switch listing.delivery {
        case .shipping(let limits):
            switch limits.area {
            case .places(let scope, let places):
                shipsTo = places.map { scope == .countries ? Countries.code($0) ?? $0 : $0 }
            case .distance(let metres, let centre, let place):
                if !limits.area.isEverywhere {
                    within = ShippingDistance(
                        metres: metres,
                        place: place,
                        point: GeographicPoint(centre)
                    )
                }
            }
        case .pickup(let place): pickupPlace = place
        case .online: break
        }
        self.init(
            type: listing.form.rawValue,
            title: listing.title,
            description: listing.description,
            category: listing.category,
            tags: listing.tags,
            media: listing.media.map(ListingMedia.init),
            curriculum: Client.CurriculumSession.list(listing.curriculum),
            price: Money(listing.terms.price, listing.terms.currency),
            chain: listing.chain.number,
            payment: listing.terms.kind.rawValue,
            identifier: listing.identifier.text,
            delivery: listing.delivery.method.rawValue,
            shipsTo: shipsTo,
            shipsWithin: within,
            pickupPlace: pickupPlace
        )
        SaleKinds.standard.show(listing.terms, in: &self)
    }
}

extension ListingContent {
    /// Returns the listing that this content describes, checked against the market's rules.
    ///
    /// - Parameters:
    ///   - saleIndex: The market, with its chain and its kinds of sale.
    ///   - seller: The account that offers.
    ///   - time: The chain's time, from which an offer without an end runs.
    ///   - media: The files that ``media`` names.
    /// - Returns: A listing that names no sale yet.
    /// - Throws: ``Refusal``: `bad_listing`, `bad_amount`, `bad_terms` or `bad_address`.
    package func listing(
        in saleIndex: SaleIndex,
        seller: Address,
        at time: ChainTime,
        media: [Media] = []
    ) throws -> Market.Listing {
        let form = try form()
        let service = try saleIndex.service(forPayment: payment)
        if let given = givenTerms.first(where: { $0.payment != payment }) {
            throw Refusal(
                .badTerms,
                Sentence(
                    "refusal.termsOfOther",
                    ["field": given.field, "payment": given.payment, "other": payment]
                ),
                field: given.field
            )
        }
        let terms = try service.terms(of: self, form: form, by: seller, at: time)
        let chain = saleIndex.deployment.chain
        var content = self
        if form == .course, identifier.isEmpty { content.identifier = Self.courseIdentifier }
        return try content.listing(
            form: form,
            media: media,
            curriculum: try content.sessions() ?? [],
            delivery: try way(),
            terms: terms,
            on: chain,
            endsAt: nil
        )
    }

    /// Returns whether the content has another price than a listing.
    ///
    /// - Throws: ``Refusal`` with `bad_amount`.
    func changesPrice(of listing: Market.Listing) throws(Refusal) -> Bool {
        try Amount.entered(price.amount, field: "price.amount") != listing.terms.price
    }

    /// Returns the same content with the price and the terms of a listing, such as one of several
    /// pieces.
    func keepingTerms(of listing: Market.Listing) -> ListingContent {
        let shown = ListingContent(listing)
        var content = self
        (content.price, content.terms, content.direct) = (shown.price, shown.terms, shown.direct)
        (content.auction, content.course) = (shown.auction, shown.course)
        return content
    }

    /// Returns the content with which a listing, or several pieces, are put up for sale again at
    /// the content's price: its terms follow from those of one sale.
    ///
    /// - Parameters:
    ///   - old: The listing at its present price; if it has several pieces, the one that is shown.
    ///   - saleIndex: The market, with its chain and its kinds of sale.
    ///   - sale: The unsold sale of the listing.
    ///   - time: The chain's time.
    /// - Returns: The content with all terms.
    /// - Throws: ``Refusal``: `bad_amount` or `bad_terms`.
    func repriced(
        _ old: Market.Listing,
        in saleIndex: SaleIndex,
        of sale: Market.Sale,
        at time: ChainTime
    ) throws -> ListingContent {
        let shown = ListingContent(old)
        guard chain == nil || chain == shown.chain, price.currency == shown.price.currency,
            payment == shown.payment, type == shown.type, item == nil, pieces == nil,
            givenTerms.allSatisfy({ $0.payment == payment })
        else { throw Self.termsFixed }
        // Another price ends a reservation: the terms are those of the sale before it.
        if sale.state.offer?.offer.reservation != nil, terms == nil || terms == shown.terms,
            direct == nil || direct == shown.direct,
            let open = saleIndex.sale(before: sale), let before = open.state.offer
        {
            var content = self
            content.removeTerms()
            saleIndex.kinds.show(before, in: &content)
            return try saleIndex.service(for: open).repriced(content, of: open, at: time)
        }
        return try saleIndex.service(for: sale).repriced(self, of: sale, at: time)
    }

    /// Returns a listing with this content that is put up for sale again.
    ///
    /// - Parameters:
    ///   - old: The listing at its present price.
    ///   - saleIndex: The market, with its chain and its kinds of sale.
    ///   - sale: The unsold sale of the listing.
    ///   - time: The chain's time.
    ///   - media: The files that ``media`` names; `nil` keeps those of the listing.
    /// - Returns: A listing that names no sale yet.
    /// - Throws: ``Refusal``: `bad_listing`, `bad_amount`, `bad_terms` or `bad_address`.
    func relisted(
        _ old: Market.Listing,
        in saleIndex: SaleIndex,
        of sale: Market.Sale,
        at time: ChainTime,
        media: [Media]? = nil
    ) throws -> Market.Listing {
        let terms = try saleIndex.service(for: sale).terms(
            of: self,
            form: old.form,
            by: sale.seller,
            at: time
        )
        let listing = try listing(
            form: old.form,
            media: media ?? old.media,
            curriculum: try sessions() ?? old.curriculum,
            delivery: try way(editing: old),
            terms: terms,
            on: old.chain,
            endsAt: nil
        ).with(old.pieces)
        let maker = sale.state.maker ?? sale.seller
        guard listing.identifier.contentHash(madeBy: maker) == sale.state.contentHash else {
            let token = sale.state.item?.decimal ?? ""
            throw Refusal(
                .badListing,
                Sentence(
                    "refusal.otherIdentifier",
                    ["token": token, "identifier": listing.identifier.text.quoted]
                ),
                field: "identifier"
            )
        }
        return listing
    }

    private static var termsFixed: Refusal {
        Refusal(.badTerms, Sentence("refusal.termsFixed"), field: "terms")
    }

    /// Returns an existing listing with this content; price and terms are fixed by its sale.
    ///
    /// - Parameters:
    ///   - old: The listing before the edit.
    ///   - media: The files that ``media`` names; `nil` keeps those of the listing.
    /// - Returns: A listing that names no sale yet.
    /// - Throws: ``Refusal``: `bad_listing`, also if a text that is fixed differs; `bad_terms` if
    ///   price or terms differ.
    package func edited(
        _ old: Market.Listing,
        media: [Media]? = nil
    ) throws -> Market.Listing {
        let shown = ListingContent(old)
        guard chain == nil || chain == shown.chain, price == shown.price, payment == shown.payment,
            type == shown.type,
            terms == nil || terms == shown.terms, item == nil, pieces == nil,
            auction == nil || auction == shown.auction, direct == nil || direct == shown.direct,
            course == nil || course == shown.course
        else { throw Self.termsFixed }
        let texts = [("title", title, old.title), ("description", description, old.description)]
        if ListingRules.fixesTexts(old), let text = texts.first(where: { $0.1 != $0.2 }) {
            throw Refusal(.badListing, Sentence("refusal.textsFixed"), field: text.0)
        }
        var content = self
        if old.form == .course, identifier.isEmpty { content.identifier = shown.identifier }
        return try content.listing(
            form: old.form,
            media: media ?? old.media,
            curriculum: try sessions() ?? old.curriculum,
            delivery: try way(editing: old),
            terms: old.terms,
            on: old.chain,
            endsAt: old.endsAt
        ).with(old.pieces)
    }

    private func form() throws(Refusal) -> Market.Listing.Form {
        switch Market.Listing.Form(rawValue: type) {
        case .goods: return .goods
        case .digital: return .digital
        case .course: return .course
        case nil:
            throw Refusal(
                .badListing,
                Sentence("refusal.typeOneOf", ["type": type.quoted]),
                field: "type"
            )
        }
    }

    private func listing(
        form: Market.Listing.Form,
        media: [Media],
        curriculum: [Market.CurriculumSession],
        delivery: Delivery,
        terms: SaleTerms,
        on chain: ChainID,
        endsAt: Timestamp?
    ) throws -> Market.Listing {
        do {
            return try Market.Listing(
                form: form,
                title: title,
                description: description,
                category: category,
                tags: tags,
                media: media,
                curriculum: curriculum,
                identifier: ItemIdentifier(normalising: identifier),
                delivery: delivery,
                chain: chain,
                terms: terms,
                endsAt: endsAt
            )
        } catch {
            throw titleRefusal(error) ?? error.refusal(.badListing)
        }
    }

    /// Returns the sessions that the content names; `nil` if it does not say.
    private func sessions() throws(Refusal) -> [Market.CurriculumSession]? {
        guard let curriculum else { return nil }
        var sessions: [Market.CurriculumSession] = []
        for session in curriculum {
            do throws(RuleFault) {
                sessions.append(
                    try Market.CurriculumSession(title: session.title, content: session.content)
                )
            } catch {
                throw error.refusal(.badListing)
            }
        }
        return sessions
    }

    /// Returns the fault of the title, if there is one.
    private func titleRefusal(_ fault: RuleFault) -> Refusal? {
        guard case .malformed(.title) = fault else { return nil }
        let code =
            if title.contains(where: \.isNewline) || title.contains("\t") {
                "refusal.titleLines"
            } else if title.first?.isWhitespace == true || title.last?.isWhitespace == true {
                "refusal.titleBlank"
            } else if title.unicodeScalars.contains(where: PlainText.isNotSeen) {
                "refusal.titleUnseen"
            } else {
                "refusal.titleEmpty"
            }
        return Refusal(.badListing, Sentence(code, ["title": title.quoted]), field: "title")
    }
}

extension ListingContent {
    /// A new identifier for a course, which is not an item with its own.
    fileprivate static var courseIdentifier: String {
        "course" + Bytes32.random().hex.dropFirst(2).prefix(16)
    }
}

extension SaleIndex {
    /// Returns the service of the kind of sale that a listing names as its payment.
    func service(forPayment payment: String) throws(Refusal) -> any SaleKindService {
        guard let service = service(for: SaleKind(rawValue: payment)) else {
            let names = kinds.names.filter { service(for: SaleKind(rawValue: $0)) != nil }
            throw Refusal(
                .badListing,
                Sentence(
                    "refusal.oneOf",
                    ["field": "payment", "values": names.joined(separator: ", ")]
                ),
                field: "payment"
            )
        }
        return service
    }
}

extension Money {
    /// Returns the currency, if the contract takes it.
    func acceptedCurrency(in contract: DeployedMarket.Contract) throws(Refusal) -> Currency {
        if currency == "native" { return .native }
        guard let address = try? Address(text: currency) else {
            throw Refusal(
                .badAddress,
                Sentence("refusal.notACurrency", ["currency": currency.quoted]),
                field: "price.currency"
            )
        }
        guard contract.tokens.contains(address) else {
            throw Refusal(
                .badListing,
                Sentence(
                    "refusal.tokenNotTaken",
                    [
                        "token": address.checksummed,
                        "taken": (["'native'"] + contract.tokens.map(\.checksummed))
                            .joined(separator: ", "),
                    ]
                ),
                field: "price.currency"
            )
        }
        return .token(address)
    }
}
