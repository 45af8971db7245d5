import ArgumentParser
import Client

/// The delivery address that a purchase sends to the seller.
struct AddressTelling: ParsableArguments {
    @Option(
        help: """
            Name, street, city and country. Your node sends them to the seller, encrypted, once \
            the sale is paid. You can also send them later: stoa sale address.
            """
    )
    var address: String?
    @Flag(help: "Send the seller the text of your delivery address once the sale is paid.")
    var sendAddress = false

    func validate() throws {
        guard address == nil || !sendAddress else {
            throw ValidationError("Give --address or --send-address, not both.")
        }
    }

    /// The address sent with the purchase; the node sends it once it is paid.
    var disclosure: AddressDisclosure? {
        if let address { return AddressDisclosure(text: address) }
        return sendAddress ? AddressDisclosure() : nil
    }

    /// Asks on a terminal where to send what is bought, if purchases that give no address need one.
    ///
    /// A bid sends no address: the node saves the one that is typed for the case that it wins.
    /// Nobody types one for a purchase that the node refuses.
    ///
    /// - Parameters:
    ///   - previews: Those of the purchases.
    ///   - consent: Whether a person is there to answer.
    ///   - node: The node.
    ///   - options: The form of the answer.
    /// - Returns: The address that goes with the purchases; `nil` for none.
    /// - Throws: ``Failure`` with the obstacles of the purchases if all have some.
    static func asked(
        after previews: [ActionPreview],
        _ consent: ConsentOptions,
        _ node: StoaClient,
        _ options: CallOptions
    ) async throws -> AddressDisclosure? {
        guard !options.json else { return nil }
        let open = previews.filter { $0.problems.isEmpty }
        if open.isEmpty, let refusal = previews.first.flatMap({ ConsentOptions.refusal(of: $0) }) {
            throw refusal
        }
        let canAsk = Terminal.isInteractive && !consent.yes && !consent.dryRun
        if canAsk, open.contains(where: \.isBidForGoods) { try await askToSave(node) }
        guard open.contains(where: \.lacksAddress) else { return nil }
        if canAsk { return await asked(node) }
        options.output.note(
            "The seller is not told where to send it: add --address or --send-address, or tell it "
                + "after the purchase."
        )
        return nil
    }

    /// Asks for the delivery address of a bidder who has saved none.
    private static func askToSave(_ node: StoaClient) async throws {
        var saved = try await node.deliveryAddress()
        guard saved.text == nil else { return }
        let answer = Terminal.answer(
            "If you win, the seller needs your address. Your node can save it until then: name, "
                + "street, city and country, or nothing to tell it later: "
        )
        guard let answer, answer.contains(where: { !$0.isWhitespace }) else { return }
        saved.text = answer
        _ = try await node.set(saved)
    }

    /// Asks on the terminal for the delivery address.
    ///
    /// - Returns: `nil` if the person wants to tell it later.
    private static func asked(_ node: StoaClient) async -> AddressDisclosure? {
        if let text = try? await node.deliveryAddress().text {
            let question =
                "Send the seller your delivery address?\n    \(DisplayText.setIn(text))\nSend it?"
            if Terminal.confirms(question) { return AddressDisclosure() }
        }
        let answer = Terminal.answer(
            "Where should the seller send it? Name, street, city and country, or nothing to tell it "
                + "later: "
        )
        guard let answer, answer.contains(where: { !$0.isWhitespace }) else { return nil }
        return AddressDisclosure(text: answer)
    }

    /// Says whether the address of a paid sale was sent, or how to send one.
    ///
    /// - Parameters:
    ///   - ended: The purchase.
    ///   - given: The address that it was made with; `nil` for none.
    ///   - node: The node.
    /// - Returns: A sentence on what was done or is left to do; `nil` if there is nothing to say.
    static func words(
        of ended: Client.Operation,
        with given: AddressDisclosure?,
        _ node: StoaClient
    ) async -> String? {
        guard let sale = ended.subject else { return nil }
        let step = NextStep(.address, IDText.short(sale))
        if let told = ended.phases.first(where: { $0.name == .told }) {
            guard told.state != .done else {
                return "Your node now sends the address to the seller."
            }
            return "It is paid, but the address was not sent: \(told.detail ?? "") Send it with: "
                + step.command
        }
        let found = try? await node.sale(sale)
        let listing =
            if let found { await SaleCommand.listing(of: found, node) } else { nil as Listing? }
        let isShipped = listing.map { $0.content.delivery == "shipping" }
        guard given == nil else { return "Nothing is shipped, so the address was not sent." }
        return isShipped == true ? step.text : nil
    }
}

extension ActionPreview {
    /// Whether it is a purchase of something that is shipped, which gives no address.
    fileprivate var lacksAddress: Bool { warnings.contains { $0.code == "preview.noAddress" } }

    /// Whether it is a bid for something that is shipped.
    fileprivate var isBidForGoods: Bool {
        explanation.contains { $0.code == "preview.winnerAddress" }
    }
}
