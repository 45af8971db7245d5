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

    /// Asks on the terminal for the delivery address, if a purchase has none.
    ///
    /// - Returns: `nil` if the person wants to tell it later.
    static func asked(_ node: StoaClient) async -> AddressDisclosure? {
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
