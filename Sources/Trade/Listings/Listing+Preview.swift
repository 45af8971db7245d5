package import Client
package import Market

/// The facts that a preview shows to the seller of a listing, besides title, price and terms.
extension Market.Listing {
    /// Names the category, tags, number of files and delivery.
    package var facts: [Sentence] {
        [categoryFact, tagsFact, filesFact].compactMap(\.self) + [deliveryFact]
    }

    private var categoryFact: Sentence {
        let isNamed = SentencePatterns.english.words(for: category, in: "category") != category
        let term = isNamed ? "category.\(category)" : category
        return Sentence("preview.listedCategory", ["category": term])
    }

    private var tagsFact: Sentence? {
        guard !tags.isEmpty else { return nil }
        return Sentence("preview.listedTags", ["tags": tags.joined(separator: ", ")])
    }

    private var filesFact: Sentence {
        guard !media.isEmpty else { return Sentence("preview.listedNoFiles") }
        return Sentence("preview.listedFiles", ["count": "\(media.count)"])
    }

    private var deliveryFact: Sentence {
        switch delivery {
        case .online: return Sentence("preview.online")
        case .pickup(let place) where form == .goods:
            return Sentence("preview.listedPickup", ["place": place])
        case .pickup(let place): return Sentence("preview.listedPlace", ["place": place])
        case .shipping(let limits):
            guard !limits.area.isEverywhere else { return Sentence("preview.listedAnywhere") }
            switch limits.area {
            case .distance(let metres, _, let place):
                let distance = Delivery.distance(Double(metres))
                return Sentence("preview.listedWithin", ["distance": distance, "place": place])
            case .places:
                let places = ListingContent(self).shipsTo.joined(separator: ", ")
                return Sentence("preview.listedPlaces", ["places": places])
            }
        }
    }
}
