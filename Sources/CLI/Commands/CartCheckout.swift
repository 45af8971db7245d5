import ArgumentParser
import Client
import Texts

/// The command `stoa cart checkout`.
struct CartCheckout: AccountCall {
    static let configuration = CommandConfiguration(
        commandName: "checkout",
        abstract: "Buy what is in your cart, one listing after the other.",
        discussion: """
            The command shows all costs and asks once. Each listing is a separate purchase: one \
            that cannot be bought stays in the cart, and the others are still bought. The last \
            lines say which were bought and which were not. With --yes the command needs --total, buys \
            nothing if the sum is another, and omits what was listed again since it was put into \
            the cart.
            """
    )
    static let examples = ["cart checkout", "cart checkout --ship-to DE --dry-run"]

    @OptionGroup var destination: ShipToOptions
    @OptionGroup var telling: AddressTelling
    @OptionGroup var agreed: AgreedTotalOption
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var fees: FeeOptions
    @OptionGroup var options: CallOptions

    func validate() throws { try agreed.check(consent) }

    func call(_ node: StoaClient) async throws {
        let node = try fees.applied(to: node)
        let cart = try await node.cart()
        guard !cart.lines.isEmpty else {
            throw Failure(.refused, "Your cart is empty. Add to it: stoa cart add <listing>")
        }
        var address = telling.disclosure
        var places: [String: String] = [:]
        var lines = await previewed(cart.lines, &places, address, node)
        if address == nil {
            let previews = lines.filter { $0.problem == nil }.compactMap(\.preview)
            address = try await AddressTelling.asked(after: previews, consent, node, options)
            if address != nil { lines = await previewed(cart.lines, &places, address, node) }
        }
        try await obtainConsent(to: lines, of: node)
        for index in lines.indices where lines[index].problem == nil {
            lines[index] = await bought(
                lines[index],
                to: places[lines[index].listing],
                address,
                node
            )
        }
        try options.output.show(lines) { CheckoutText.ended($0) }
        let missed = lines.count { $0.sale == nil }
        guard missed == 0 else {
            throw Failure(.refused, "\(missed) of \(lines.count) listings were not bought.")
        }
    }

    /// The purchase of a listing, sent to the place that the options name, or else to the chosen one.
    private func purchase(
        of listing: String,
        to place: String?,
        _ address: AddressDisclosure?,
        _ node: StoaClient
    ) async throws -> Purchase {
        Purchase(
            listing: listing,
            shipTo: destination.shipTo ?? place,
            shipToPoint: try await destination.point(node),
            address: address
        )
    }

    /// Asks the node for the cost of each line; a line that cannot be bought has a problem.
    ///
    /// If a listing needs a place, asks where to send it and stores the answer in `places` by the
    /// listing's id.
    private func previewed(
        _ saved: [SavedListing],
        _ places: inout [String: String],
        _ address: AddressDisclosure?,
        _ node: StoaClient
    ) async -> [CheckoutLine] {
        var lines: [CheckoutLine] = []
        for line in saved {
            lines.append(await previewed(line, &places[line.listing], address, node))
        }
        return lines
    }

    private func previewed(
        _ saved: SavedListing,
        _ place: inout String?,
        _ address: AddressDisclosure?,
        _ node: StoaClient
    ) async -> CheckoutLine {
        var line = CheckoutLine(listing: saved.listing, title: SavedText.title(saved))
        do {
            var purchase = try await purchase(of: saved.listing, to: place, address, node)
            var preview = try await ShipToQuestion.answered(
                &purchase,
                try await node.preview(purchase),
                consent,
                node,
                options
            )
            place = purchase.shipTo
            let isListedAgain = saved.isListedAgain == true
            if isListedAgain { preview.warnings.append(Sentence("preview.cartListedAgain")) }
            line.preview = preview
            line.problem = ConsentOptions.refusal(of: preview).map {
                Self.words(of: $0.message, for: saved.listing)
            }
            // Another piece can be on terms that nobody has seen.
            let isOtherSale = saved.sale.map { $0 != preview.subject } ?? false
            if line.problem == nil, isListedAgain || isOtherSale, consent.yes {
                line.problem = Self.listedAgain(saved.listing)
            }
        } catch {
            line.problem = ExitReport(error).message
        }
        return line
    }

    /// Why it is not bought without a question on terms that nobody has seen.
    static func listedAgain(_ listing: String) -> String {
        "\(Sentence("preview.cartListedAgain").detail) Look at it, and put it in again: "
            + "stoa cart add \(IDText.short(listing))"
    }

    /// Adds the command for a single purchase if the remedy works only for one.
    private static func words(of problem: String, for listing: String) -> String {
        guard problem.contains("--accept-changes") else { return problem }
        return problem
            + " Only 'stoa sale buy \(IDText.short(listing)) --accept-changes' does that."
    }

    /// Shows the cost of each line, and asks once for all.
    ///
    /// - Throws: ``Failure`` if nothing can be bought, or the person does not agree.
    private func obtainConsent(to lines: [CheckoutLine], of node: StoaClient) async throws {
        if consent.dryRun, options.json {
            Terminal.print(json: try Output.json(lines.compactMap(\.preview)))
            throw ExitCode.success
        }
        let count = lines.count { $0.problem == nil }
        guard count > 0 else {
            let words = lines.map { "\($0.title): \($0.problem ?? "")" }
            throw Failure(
                .refused,
                "Nothing in your cart can be bought. " + words.joined(separator: " ")
            )
        }
        try agreed.require(
            lines.filter { $0.problem == nil }.compactMap(\.preview),
            isUnasked: consent.yes
        )
        let names = await options.names(of: node)
        let left = lines.count - count
        let words = count == 1 ? "Sign this purchase" : "Sign these \(count) purchases"
        let rest =
            left == 0 ? "" : ", without the \(left == 1 ? "one" : "\(left)") that cannot be bought"
        try consent.obtain(
            for: "\(words)\(rest), and pay \(CheckoutText.total(lines)) at most?",
            showing: CheckoutText.previews(lines, names),
            asJSON: options.json
        )
    }

    /// Buys a line and takes it out of the cart.
    private func bought(
        _ line: CheckoutLine,
        to place: String?,
        _ address: AddressDisclosure?,
        _ node: StoaClient
    ) async -> CheckoutLine {
        var line = line
        options.output.note(line.title)
        do {
            var purchase = try await purchase(of: line.listing, to: place, address, node)
            // Names the sale that was shown, so that no other one can be bought.
            purchase.sale = line.preview?.subject
            if line.preview?.restsOnOneSource == true { purchase.acceptsOneSource = true }
            let operation = try await node.buy(purchase, feeMax: line.preview?.agreedFee)
            line.operation = operation.id
            let ended = try await options.output.finish(operation, node)
            line.sale = ended.subject
            line.address = await AddressTelling.words(of: ended, with: address, node)
        } catch {
            line.problem = ExitReport(error).message
            return line
        }
        // It is bought; that it is still in the cart does no harm, as it cannot be bought again.
        try? await node.remove(fromCart: line.listing)
        return line
    }
}

/// The result for one line of a cart.
struct CheckoutLine: Encodable {
    let listing: String
    let title: String
    var operation: String?
    /// The sale, once it is paid.
    var sale: String?
    /// Whether the seller has the delivery address, or how to send it.
    var address: String?
    /// Why it was not bought.
    var problem: String?
    var preview: ActionPreview?

    private enum CodingKeys: CodingKey { case listing, title, operation, sale, address, problem }
}

/// Formats a checkout as text.
enum CheckoutText {
    static func previews(_ lines: [CheckoutLine], _ names: Names) -> String {
        lines.map { line in
            guard line.problem == nil, let preview = line.preview else {
                return "\(line.title): cannot be bought. \(line.problem ?? "")"
            }
            return PreviewText.text(preview, names)
        }.joined(separator: "\n\n") + together(lines)
    }

    /// The sums of all purchases, by currency; the one with fees only if there are several.
    private static func together(_ lines: [CheckoutLine]) -> String {
        let previews = lines.filter { $0.problem == nil }.compactMap(\.preview)
        var text = ""
        let bare = CheckoutSum.withoutFees(previews).map(\.text)
        if !bare.isEmpty {
            text += "\n\nprices and deposits, without the fees: " + bare.joined(separator: ", ")
        }
        guard previews.count > 1 else { return text }
        return text + "\n\nall together, with the fees, at most: " + total(lines)
    }

    /// The sums of all purchases with their fees, by currency.
    static func total(_ lines: [CheckoutLine]) -> String {
        let previews = lines.filter { $0.problem == nil }.compactMap(\.preview)
        return CheckoutSum.of(previews, \.total).map { sum in
            CurrencyUnits.on(sum.chain) {
                MoneyText.paid(sum.money) + ListingText.chain(sum.chain)
            }
        }.joined(separator: ", ")
    }

    static func ended(_ lines: [CheckoutLine]) -> String {
        lines.map { line in
            if let sale = line.sale {
                return "bought      \(line.title), sale \(sale)"
                    + (line.address.map { "\n            " + $0 } ?? "")
            }
            return "not bought  \(line.title): \(line.problem ?? "")"
        }.joined(separator: "\n")
    }
}
