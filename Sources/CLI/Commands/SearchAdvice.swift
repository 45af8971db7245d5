import Client

/// Says which condition of a search keeps listings from being found, and how to undo it.
enum SearchAdvice {
    /// The same search without one of its conditions.
    struct Wider: Equatable {
        /// The change in words, such as `without --category lamps`.
        let change: String
        let search: ListingSearch
    }

    /// Searches again without each condition, and formats what that finds.
    static func text(for search: ListingSearch, _ node: StoaClient) async -> String {
        let all = wider(search)
        var lines: [String] = []
        for wider in all {
            guard let page = try? await node.listings(wider.search) else { continue }
            let count = page.total ?? page.items.count
            guard count > 0 else { continue }
            let more = page.totalIsLowerBound == true ? " or more" : ""
            lines.append(
                "\(wider.change): \(count == 1 ? "one listing" : "\(count)\(more) listings")"
            )
        }
        guard lines.isEmpty else { return (["Nothing found."] + lines).joined(separator: "\n") }
        return search.terms.matchEverything
            ? "This node has no listings yet."
            : "Nothing found, and nothing without any one of the conditions either. Try fewer words, "
                + "or fewer conditions."
    }

    /// Returns the searches that have one condition less, or one kind of listings more.
    static func wider(_ search: ListingSearch) -> [Wider] {
        let terms = search.terms
        var found: [Wider] = []
        func add(_ change: String?, _ widen: (inout ListingSearch) -> Void) {
            guard let change else { return }
            var wider = search
            widen(&wider)
            // Only the number counts, and prices cannot be sorted without a currency.
            (wider.sort, wider.limit, wider.countsFacets) = (nil, 1, false)
            wider.countsMatches = true
            found.append(Wider(change: change, search: wider))
        }
        let prices = [("--price-min", terms.priceMin), ("--price-max", terms.priceMax)]
            .filter { $0.1 != nil }.map(\.0).joined(separator: " and ")
        let hasCurrency = prices.isEmpty && terms.currency != nil
        add(terms.text.map { "without the words '\(DisplayText.line($0))'" }) { $0.text = nil }
        add(terms.category.map { "without --category \($0)" }) { $0.category = nil }
        add(terms.tag.map { "without --tag \($0)" }) { $0.tag = nil }
        add(terms.author.map { "without --author \($0)" }) { $0.author = nil }
        add(prices.isEmpty ? nil : "without \(prices)") { wider in
            (wider.priceMin, wider.priceMax, wider.currency) = (nil, nil, nil)
        }
        add(hasCurrency ? "without --currency" : nil) { $0.currency = nil }
        add(terms.payment.map { "without --payment \($0)" }) { $0.payment = nil }
        add(terms.delivery.map { "without --delivery \($0)" }) { $0.delivery = nil }
        add(terms.shipsTo.map { "without --ships-to \($0)" }) { $0.shipsTo = nil }
        add(terms.within.map { "without --within \($0)" }) { $0.within = nil }
        add(terms.starsMin.map { "without --stars \($0)" }) { $0.starsMin = nil }
        add(terms.reachesMe == true ? "without --to-me" : nil) { $0.reachesMe = nil }
        add(terms.chain.map { "without --chain \($0)" }) { $0.chain = nil }
        add(search.includesOver ? nil : "with --all, so with what nobody can buy now") {
            $0.includesOver = true
        }
        add(search.includesHidden ? nil : "with --hidden, so with what is hidden from you") {
            $0.includesHidden = true
        }
        return found
    }
}
