import Answers
package import Client
import Contracts
import Ethereum
package import Keys
package import Market
import Setup

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
                "'\(given.field)' is for payment by '\(given.payment)', but payment is by "
                    + "'\(payment)'. Leave one of them out.",
                field: given.field
            )
        }
        let terms = try service.terms(of: self, form: form, by: seller, at: time)
        let chain = saleIndex.deployment.chain
        var content = self
        if form == .course, identifier.isEmpty { content.identifier = Self.courseIdentifier }
        return try content.listing(form, media, try way(), terms, on: chain, endsAt: nil)
    }

    /// Returns an existing listing with this content; price and terms are fixed by its sale.
    ///
    /// - Parameters:
    ///   - old: The listing before the edit.
    ///   - media: The files that ``media`` names; `nil` keeps those of the listing.
    /// - Returns: A listing that names no sale yet.
    /// - Throws: ``Refusal``: `bad_listing`, `bad_terms` if price or terms differ.
    package func edited(
        _ old: Market.Listing,
        media: [Media]? = nil
    ) throws -> Market.Listing {
        let shown = ListingContent(old)
        guard chain == nil || chain == shown.chain, price == shown.price, payment == shown.payment,
            type == shown.type,
            terms == nil || terms == shown.terms, item == nil,
            auction == nil || auction == shown.auction, direct == nil || direct == shown.direct,
            course == nil || course == shown.course
        else {
            throw Refusal(
                .badTerms,
                "Type, payment, chain, price, item and terms are fixed by the sale. Withdraw the "
                    + "listing and create a new one to change them.",
                field: "terms"
            )
        }
        var content = self
        if old.form == .course, identifier.isEmpty { content.identifier = shown.identifier }
        return try content.listing(
            old.form,
            media ?? old.media,
            try way(editing: old),
            old.terms,
            on: old.chain,
            endsAt: old.endsAt
        )
    }

    private func form() throws(Refusal) -> Market.Listing.Form {
        switch Market.Listing.Form(rawValue: type) {
        case .goods: return .goods
        case .digital: return .digital
        case .course: return .course
        case nil:
            throw Refusal(
                .badListing,
                "\(type.quoted) cannot be listed; 'goods', 'digital' and 'course' can.",
                field: "type"
            )
        }
    }

    private func listing(
        _ form: Market.Listing.Form,
        _ media: [Media],
        _ delivery: Delivery,
        _ terms: SaleTerms,
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

    /// Returns the fault of the title, if there is one.
    private func titleRefusal(_ fault: RuleFault) -> Refusal? {
        guard case .malformed(.title) = fault else { return nil }
        let reason =
            if title.contains(where: \.isNewline) || title.contains("\t") {
                "has a tab or more than one line; a title is one line"
            } else if title.first?.isWhitespace == true || title.last?.isWhitespace == true {
                "begins or ends with a blank; leave it out"
            } else if title.unicodeScalars.contains(where: PlainText.isNotSeen) {
                "has a control character or one that nobody sees; type it anew"
            } else {
                "has nothing that can be seen; describe what you sell"
            }
        return Refusal(.badListing, "The title \(title.quoted) \(reason).", field: "title")
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
                "'payment' must be \(names.map { "'\($0)'" }.joined(separator: " or ")).",
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
                "\(currency.quoted) is not a currency: write 'native', or a token's whole address.",
                field: "price.currency"
            )
        }
        guard contract.tokens.contains(address) else {
            throw Refusal(
                .badListing,
                "This market does not take token \(address); it takes 'native'"
                    + contract.tokens.map { ", \($0)" }.joined() + ".",
                field: "price.currency"
            )
        }
        return .token(address)
    }
}
