import ArgumentParser
import Client

/// The command `stoa account address …`.
struct AccountAddress: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "address",
        abstract: """
            Save the address to which sellers send the items that you buy. Only your own nodes \
            know it.
            """,
        discussion: """
            The place and the point decide whether a seller ships to you; nobody else sees them. \
            The text goes to a seller only when you send it: stoa sale address.
            """,
        subcommands: [Show.self, Set.self, Clear.self]
    )

    struct Show: AccountCall {
        static let configuration = command("Show your delivery address.")
        static let examples = ["account address show"]

        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try options.output.show(try await node.deliveryAddress()) {
                DeliveryText.text($0)
            }
        }
    }

    struct Set: LeafCommand {
        static let configuration = command(
            "Set your delivery address. What you leave out stays as it is."
        )
        static let examples = [
            "account address set --text 'Ada Lovelace, Main Street 1, 80331 Munich, Germany' "
                + "--place 'Munich, Bavaria, DE' --point 48.137,11.575"
        ]

        @Option(help: "Name, street, city and country, as it should be on the parcel.")
        var text: String?
        @Option(help: "Your country, such as DE, or 'Bavaria, DE', or 'Munich, Bavaria, DE'.")
        var place: String?
        @Option(
            parsing: .unconditional,
            help: "Your town, or latitude and longitude in degrees, such as 48.137,11.575."
        )
        var point: String?
        @OptionGroup var options: CallOptions

        func validate() throws {
            for (name, value) in [("text", text), ("place", place), ("point", point)]
            where value?.isEmpty == true {
                throw ValidationError(
                    "--\(name) is empty. To remove it: stoa account address clear --\(name)."
                )
            }
            if let point { try PointText.check(point) }
        }

        func run() async throws {
            // Checked here, so that an unknown option is named first.
            guard text != nil || place != nil || point != nil else {
                throw Failure(.usage, "Nothing to set. Give --text, --place or --point.")
            }
            try await options.asAccount { node in
                var address = try await node.deliveryAddress()
                if let point { address.point = try await PointText.point(point, node) }
                address.text = text ?? address.text
                address.place = place ?? address.place
                try options.output.show(try await node.set(address)) { DeliveryText.text($0) }
            }
        }
    }

    struct Clear: AccountCall {
        static let configuration = command("Remove your delivery address, or a part of it.")
        static let examples = ["account address clear", "account address clear --point"]

        @Flag(help: "Remove only the text.") var text = false
        @Flag(help: "Remove only the place.") var place = false
        @Flag(help: "Remove only the point.") var point = false
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            var address = DeliveryAddress()
            if text || place || point {
                address = try await node.deliveryAddress()
                if text { address.text = nil }
                if place { address.place = nil }
                if point { address.point = nil }
            }
            _ = try await node.set(address)
            options.output.note("Removed.")
        }
    }
}

/// The command `stoa sale address`.
struct SaleAddress: AccountCall {
    static let configuration = CommandConfiguration(
        commandName: "address",
        abstract: "Tell the seller of a sale where to send the item.",
        discussion: """
            The address is encrypted for the seller, whose node shows it while it is needed. \
            Without a text, the command sends the text of your delivery address.
            """
    )
    static let examples = [
        "sale address 7f3a2b", "sale address 7f3a2b 'Main Street 1, 80331 Munich'",
    ]

    @Argument(help: .sale, completion: CompletionValues.sales) var sale: String
    @Argument(help: "Name, street, city and country, as it should be on the parcel.")
    var text: String?
    @OptionGroup var options: CallOptions

    func call(_ node: StoaClient) async throws {
        // The call itself takes no words of a title.
        let id = try await node.sale(sale).id
        let message = try await node.disclose(AddressDisclosure(text: text), forSale: id)
        try options.output.show(message) { _ in "Sent to the seller." }
        options.say(next: [NextStep(.watch, IDText.short(id))])
    }
}

/// The command `stoa listing allow`.
struct ListingAllow: AccountCall {
    static let configuration = CommandConfiguration(
        commandName: "allow",
        abstract: "Ship to one buyer outside the limits of your listing.",
        discussion: """
            The buyer's node receives the exception as sealed mail. You cannot take it back.
            """
    )
    static let examples = ["listing allow bicycle bob"]

    @Argument(help: "Your listing: its id, or the first digits of the id.") var listing: String
    @Argument(help: "The buyer: an address, or the name of a contact.") var buyer: String
    @OptionGroup var options: CallOptions

    func call(_ node: StoaClient) async throws {
        let message = try await node.allow(ShippingException(buyer: buyer), for: listing)
        try options.output.show(message) { _ in "The buyer has been notified." }
    }
}

/// Formats delivery addresses as text.
enum DeliveryText {
    static func text(_ address: DeliveryAddress) -> String {
        let lines = [
            address.text.map { "text   " + DisplayText.setIn($0) },
            address.place.map { "place  " + DisplayText.line($0) },
            address.point.map { "point  " + PointText.text($0) },
        ].compactMap { $0 }
        guard !lines.isEmpty else { return "No delivery address." }
        return lines.joined(separator: "\n")
    }
}
