import Answers
import Client
import Keys
import Mail
import Market
import Setup
import Trade

/// Resolves what callers of the API enter, with the names that each caller may know.
extension IDResolver {
    /// Returns the address of an account, see ``account(_:for:isLocal:findsSellers:field:)``.
    ///
    /// - Throws: ``Refusal`` with `ambiguous_id`, or with `bad_address` for an unknown name.
    func account(
        _ text: String,
        _ context: APIContext,
        findsSellers: Bool = false,
        field: String
    ) async throws -> String {
        let found = try await account(
            text,
            for: context.signedIn,
            isLocal: context.isLocal,
            findsSellers: findsSellers,
            field: field
        )
        guard found == text, !text.isEmpty, !text.lowercased().hasPrefix("0x") else { return found }
        throw Refusal(
            .badAddress,
            Sentence("refusal.unknownAccount", ["account": text.quoted]),
            field: field
        )
    }

    /// Returns the id of the conversation that the path names.
    func conversation(
        _ context: APIContext,
        isForSending: Bool = false
    ) async throws -> String {
        try await conversation(
            try context.id(),
            of: try context.account(),
            isLocal: context.isLocal,
            isForSending: isForSending
        )
    }

    /// Returns the whole id of a listing, see ``MarketIndex/listing(_:by:preferring:)``.
    ///
    /// - Throws: ``Refusal`` with `ambiguous_id`, or with `unknown_listing` if nothing is found.
    func listing(
        _ text: String,
        by titles: MarketIndex.Titles,
        preferring owner: Address? = nil
    ) async throws -> String {
        guard let market else { return text }
        let found = try await market.listing(text, by: titles, preferring: owner)
        guard found == text, (try? ListingID(text)) == nil else { return found }
        throw Refusal(
            .unknownListing,
            titles == .none
                ? Sentence("refusal.noListingOfID", ["listing": text.quoted])
                : Sentence("refusal.noListingNamed", ["listing": text.quoted]),
            field: "listing"
        )
    }

    func sale(
        _ text: String,
        _ context: APIContext,
        takesTitles: Bool = true,
        use: MarketIndex.SaleUse = .any,
        prefersOver: Bool = false
    ) throws -> String {
        try market?.sale(
            text,
            for: context.signedIn,
            takesTitles: takesTitles,
            use: use,
            prefersOver: prefersOver
        ) ?? text
    }

    /// Returns the whole id of a sale that is only shown: a listing, by its id or the first digits
    /// of it, means its sale.
    func shownSale(
        _ text: String,
        _ context: APIContext,
        use: MarketIndex.SaleUse = .any
    ) async throws -> String {
        let id = try sale(text, context, use: use)
        guard id == text, let market else { return id }
        return try await market.sale(ofListing: text) ?? id
    }

    /// Returns a listing's content with the arbiter's address instead of a name.
    func named(_ content: ListingContent, _ context: APIContext) async throws -> ListingContent {
        guard let arbiter = content.terms?.arbiter else { return content }
        var content = content
        content.terms?.arbiter = try await self.arbiter(
            arbiter,
            for: context.signedIn,
            isLocal: context.isLocal
        )
        return content
    }
}

extension IDResolver {
    /// Returns the account to which money is to be sent: a full address, or a name that the caller
    /// knows.
    ///
    /// The prefix of an address is refused: others can make an address with the same prefix.
    ///
    /// - Throws: ``Refusal`` with `ambiguous_id`, or `bad_address`.
    func receiver(
        _ text: String,
        _ context: APIContext
    ) async throws -> ActionPreview.Receiver {
        let entered =
            text.lowercased().hasPrefix("0x")
            ? text : try await account(text, context, field: "to")
        let address = try Address.entered(entered, field: "to").checksummed
        let known = try await names.known(to: context.signedIn, isLocal: context.isLocal)
            .filter { $0.account == address }
        let name = known.first(where: \.isGiven) ?? known.first
        return ActionPreview.Receiver(
            account: address,
            name: name?.name,
            isHere: name?.isHere ?? false,
            isNamedByCaller: name?.isGiven ?? false
        )
    }
}
