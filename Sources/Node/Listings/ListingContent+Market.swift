package import Client
package import Keys
package import Market

extension ListingContent {
    /// Returns the listing that this content describes, checked against the market's rules.
    ///
    /// - Parameters:
    ///   - deployment: The market, with its chain and currencies.
    ///   - seller: The account that offers.
    ///   - time: The chain's time, from which an offer without an end runs.
    /// - Returns: A listing that names no sale yet.
    /// - Throws: ``Refusal``: `bad_listing`, `bad_amount`, `bad_terms` or `bad_address`.
    package func listing(
        in deployment: DeployedMarket,
        seller: Address,
        at time: ChainTime
    ) throws -> Market.Listing {
        let form = try form()
        guard payment == PaymentMethod.escrow.rawValue else {
            throw Refusal(.badListing, "Payment is by 'escrow'.", field: "payment")
        }
        let terms = try escrowTerms(form, in: deployment, at: time)
        do {
            try terms.check(seller: seller, at: time)
        } catch {
            throw error.refusal
        }
        return try words(form, [], try way(), .escrow(terms), on: deployment.chain, endsAt: nil)
    }

    /// Returns an existing listing with this content; price and terms are fixed by its sale.
    ///
    /// - Parameter old: The listing before the edit.
    /// - Returns: A listing that names no sale yet.
    /// - Throws: ``Refusal``: `bad_listing`, `bad_terms` if price or terms differ.
    package func edited(_ old: Market.Listing) throws -> Market.Listing {
        let shown = ListingContent(old)
        guard price == shown.price, payment == shown.payment, type == shown.type,
            terms == nil || terms == shown.terms
        else {
            throw Refusal(
                .badTerms,
                "Type, payment, price and terms are fixed by the sale on the chain. Withdraw the "
                    + "listing and make a new one to change them.",
                field: "terms"
            )
        }
        return try words(
            old.form,
            old.media,
            try way(changing: old),
            old.terms,
            on: old.chain,
            endsAt: old.endsAt
        )
    }

    private func form() throws(Refusal) -> Market.Listing.Form {
        switch Market.Listing.Form(rawValue: type) {
        case .goods: return .goods
        case .digital:
            throw Refusal(
                .badListing,
                "A digital work cannot be listed yet: it needs a picture, and this version takes "
                    + "none. 'goods' can be listed.",
                field: "type"
            )
        case .course, nil:
            throw Refusal(
                .badListing,
                "\(type.quoted) cannot be listed; 'goods' can.",
                field: "type"
            )
        }
    }

    private func words(
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
            throw error.refusal(.badListing)
        }
    }

    private func escrowTerms(
        _ form: Market.Listing.Form,
        in deployment: DeployedMarket,
        at time: ChainTime
    ) throws -> Market.EscrowTerms {
        let currency = try price.currency(in: deployment)
        let amount = try Amount.entered(price.amount, field: "price.amount")
        var terms: Market.EscrowTerms
        do {
            terms = try .standard(price: amount, currency: currency, form: form, now: time)
        } catch {
            throw error.refusal
        }
        guard let wanted = self.terms else { return terms }
        func set(_ text: String?, _ field: String, _ part: inout Amount) throws(Refusal) {
            if let text { part = try Amount.entered(text, field: "terms.\(field)") }
        }
        try set(wanted.sellerDeposit, "sellerDeposit", &terms.sellerDeposit)
        try set(wanted.buyerDeposit, "buyerDeposit", &terms.buyerDeposit)
        try set(wanted.latePenalty, "latePenalty", &terms.latePenalty)
        try set(wanted.arbiterFee, "arbiterFee", &terms.arbiterFee)
        if let text = wanted.arbiter {
            terms.arbiter = try Address.entered(text, field: "terms.arbiter")
        }
        if let seconds = wanted.shipSeconds { terms.shipWindow = .entered(seconds) }
        if let seconds = wanted.confirmSeconds { terms.confirmWindow = .entered(seconds) }
        if let seconds = wanted.rulingSeconds { terms.rulingWindow = .entered(seconds) }
        if let seconds = wanted.offerUntil { terms.offerUntil = ChainTime(seconds: seconds) }
        return terms
    }
}

extension Money {
    /// Returns the currency, if the market takes it.
    func currency(in deployment: DeployedMarket) throws(Refusal) -> Currency {
        if currency == "native" { return .native }
        let address = try Address.entered(currency, field: "price.currency")
        guard deployment.tokens.contains(address) else {
            throw Refusal(
                .badListing,
                "This market does not take token \(address); it takes 'native'"
                    + deployment.tokens.map { ", \($0)" }.joined() + ".",
                field: "price.currency"
            )
        }
        return .token(address)
    }
}

extension Duration {
    /// Returns a duration that a person entered, cut far above every bound to avoid overflow.
    fileprivate static func entered(_ seconds: UInt64) -> Duration {
        .seconds(Int64(min(seconds, 1_000_000_000)))
    }
}

extension Amount {
    /// Reads an amount that a person entered.
    static func entered(_ text: String, field: String) throws(Refusal) -> Amount {
        guard let amount = Amount(decimal: text) else {
            throw Refusal(
                .badAmount,
                "\(text.quoted) is not an amount. Enter decimal digits, in the smallest unit (wei).",
                field: field
            )
        }
        return amount
    }
}

extension Address {
    /// Reads an address that a person entered.
    static func entered(_ text: String, field: String) throws(Refusal) -> Address {
        do { return try Address(text: text) } catch {
            throw Refusal(
                .badAddress,
                "\(text.quoted) is not an address. Enter 0x and 40 digits, capitals as given.",
                field: field
            )
        }
    }
}

extension RuleFault {
    /// Returns the rule in words, with the field at fault by its API name.
    func refusal(_ code: ProblemCode) -> Refusal {
        switch self {
        case .missing(let field):
            Refusal(code, "'\(field.apiName)' is missing: give one.", field: field.apiName)
        case .tooLong(let field, let byteCountMax):
            Refusal(
                code,
                "'\(field.apiName)' has more than \(byteCountMax) bytes.",
                field: field.apiName
            )
        case .tooMany(let field, let countMax):
            Refusal(code, "'\(field.apiName)' has more than \(countMax).", field: field.apiName)
        case .repeated(let field):
            Refusal(code, "'\(field.apiName)' has an entry twice.", field: field.apiName)
        case .malformed(let field):
            Refusal(code, field.advice, field: field.apiName)
        case .combination(let form, let method, let payment):
            Refusal(
                code,
                "\(form.rawValue) cannot be delivered by \(method.rawValue) and paid by "
                    + "\(payment.rawValue).",
                field: "delivery"
            )
        case .terms(let fault): fault.refusal
        }
    }
}

extension PayloadField {
    fileprivate var apiName: String {
        switch self {
        case .form: "type"
        default: rawValue
        }
    }

    fileprivate var advice: String {
        switch self {
        case .category:
            "'category' has small letters, digits and hyphens; digital works are in 'digital'."
        case .tags: "'tags' are small words of one line each."
        case .identifier: "'identifier' has Latin letters and digits."
        case .stars: "'stars' are from 1 to 5."
        default:
            "'\(apiName)' is malformed: it has spaces at an end, control characters, a line "
                + "break within a line, or an unknown value."
        }
    }
}

extension EscrowTermsFault {
    /// The bound in words.
    var refusal: Refusal {
        let words =
            switch self {
            case .price: "The price must be from 1 to 2^128 - 1 of the smallest unit."
            case .sellerDeposit: "The seller's deposit must be one to ten times the price."
            case .buyerDeposit: "The buyer's deposit must be one to ten times the price."
            case .latePenalty: "The penalty for being late is at most 5 % of the price."
            case .arbiter: "You cannot be the arbiter of your own sale."
            case .arbiterFee: "The arbiter's fee is at most 5 % of the price; 0 without an arbiter."
            case .shipWindow: "The time to hand over is 1 to 60 days."
            case .confirmWindow: "The time to confirm is 1 to 90 days."
            case .rulingWindow: "The time to rule is 3 to 60 days."
            case .offerUntil: "The offer must end in the future, within 365 days."
            case .malformed: "The terms are malformed."
            }
        let field = self == .price ? "price" : "terms.\(rawValue)"
        return Refusal(.badTerms, words, field: field)
    }
}
