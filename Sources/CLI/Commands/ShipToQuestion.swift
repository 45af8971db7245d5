import ArgumentParser
import Client

/// Finds out where to send a purchase if the seller ships to some places only and neither the
/// command nor the account's delivery address names one.
enum ShipToQuestion {
    /// Returns the preview of a purchase with its place.
    ///
    /// The only place that the seller ships to is taken; of several, a person chooses one. With
    /// `--yes` none is taken: nobody has seen it.
    ///
    /// - Parameters:
    ///   - purchase: The purchase, which gets the place.
    ///   - preview: Its preview so far.
    ///   - consent: Whether a person sees the preview.
    ///   - node: The node.
    ///   - options: The form of the answer.
    /// - Returns: `preview`, or that of the purchase with its place.
    /// - Throws: ``Failure`` if the input ends, or the node's refusal.
    static func answered(
        _ purchase: inout Purchase,
        _ preview: ActionPreview,
        _ consent: ConsentOptions,
        _ node: StoaClient,
        _ options: CallOptions
    ) async throws -> ActionPreview {
        guard !consent.yes, !options.json, purchase.shipTo == nil, purchase.shipToPoint == nil,
            preview.problems.contains(where: \.asksForPlace)
        else { return preview }
        let content = try await node.listing(purchase.listing).content
        let (places, thing) = (content.shipsTo, "'\(DisplayText.line(content.title))'")
        if let only = places.first, places.count == 1 {
            purchase.shipTo = only
            options.output.note(
                "\(thing) is sent to \(only), the only place that the seller ships to."
            )
            return try await node.preview(purchase)
        }
        guard places.count > 1, Terminal.isInteractive, !consent.dryRun else { return preview }
        let asked = purchase
        let list = DisplayText.line(places.joined(separator: "; "))
        let (place, found): (String, ActionPreview) = try await Needs.answer(
            "Where is \(thing) sent? The seller ships to \(list): ",
            form: "one of these places",
            orElse: "Nothing was signed."
        ) { text in
            var purchase = asked
            purchase.shipTo = text
            let preview = try await Self.preview(purchase, node)
            return (text, preview)
        }
        purchase.shipTo = place
        return found
    }

    /// - Throws: `ValidationError` for a place that the seller does not ship to.
    private static func preview(_ purchase: Purchase, _ node: StoaClient) async throws
        -> ActionPreview
    {
        do {
            let preview = try await node.preview(purchase)
            if let problem = preview.problems.first(where: \.isAboutShipping) { throw problem }
            return preview
        } catch let problem as Problem where problem.isAboutShipping {
            throw ValidationError(problem.detail)
        }
    }
}

extension Problem {
    fileprivate var isAboutShipping: Bool { code == ProblemCode.shippingNotPossible.rawValue }

    /// Whether the purchase names no place, or one without its country or state.
    fileprivate var asksForPlace: Bool {
        let codes = ["refusal.giveCountry", "refusal.giveState", "refusal.giveCity"]
        return isAboutShipping && reason?.contains { codes.contains($0.code) } == true
    }
}
