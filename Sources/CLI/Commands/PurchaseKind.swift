import Client

/// The command that buys a listing, which depends on how it is sold.
enum PurchaseKind: String {
    case buy, bid, enrol

    /// The kind for a listing's payment.
    init(payment: String) {
        switch payment {
        case "auction": self = .bid
        case "enrolment": self = .enrol
        default: self = .buy
        }
    }

    /// Refuses a listing that another command buys, and names that command.
    ///
    /// - Throws: ``Failure``, with nothing signed.
    func require(_ listing: Listing) throws {
        try require(
            PurchaseKind(payment: listing.content.payment),
            title: listing.content.title,
            listing: IDText.short(listing.id)
        )
    }

    /// As ``require(_:)``, for the preview of a purchase.
    func require(_ preview: ActionPreview, listing: String) throws {
        let kind = PurchaseKind(rawValue: preview.action) ?? self
        try require(kind, title: preview.sale?.title ?? listing, listing: listing)
    }

    private func require(_ kind: PurchaseKind, title: String, listing: String) throws {
        guard kind != self else { return }
        let typed = listing.contains(" ") ? "'\(listing)'" : listing
        let advice =
            switch kind {
            case .buy: "is sold at its price. Buy it: stoa sale buy \(typed)"
            case .bid: "is sold by auction. Bid for it: stoa sale bid \(typed) <amount>"
            case .enrol: "is a course. Enrol in it: stoa course enrol \(typed)"
            }
        throw Failure(.refused, "'\(DisplayText.line(title))' \(advice)")
    }
}
