import ArgumentParser
import Client

/// What a purchase tells the seller about where to send the item.
struct AddressTelling: ParsableArguments {
    @Option(
        help: """
            Name, street, city and country, which the seller gets, sealed, once it is paid. Can also be \
            told later: stoa sale address.
            """
    )
    var address: String?
    @Flag(help: "Send the seller the text of your delivery address once it is paid.")
    var sendAddress = false

    func validate() throws {
        guard address == nil || !sendAddress else {
            throw ValidationError("Give --address or --send-address, not both.")
        }
    }

    /// Sends the seller of a paid sale the address, or says how to do it; nothing if nothing is sent
    /// anywhere.
    ///
    /// - Returns: What was done or is to be done; `nil` if there is nothing to tell.
    func tell(_ sale: String, _ node: StoaClient) async -> String? {
        let found = try? await node.sale(sale)
        let listing =
            if let found { await SaleCommand.listing(of: found, node) } else { nil as Listing? }
        let isSent = listing.map { $0.content.delivery == "shipping" }
        guard address != nil || sendAddress else {
            guard isSent == true else { return nil }
            return "Tell the seller where to send it: stoa sale address \(IDText.short(sale))"
        }
        guard isSent != false else { return "Nothing is shipped, so the address was not sent." }
        do {
            _ = try await node.disclose(AddressDisclosure(text: address), forSale: sale)
            return "The seller is told where to send it."
        } catch {
            return "It is paid, but the address was not sent: \(ExitReport(error).message) Send it "
                + "with: stoa sale address \(IDText.short(sale))"
        }
    }
}
