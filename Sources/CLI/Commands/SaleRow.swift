import Client

/// A row of a list of sales: a sale, or several pieces of one listing that stand alike.
struct SaleRow {
    private let first: Sale
    private var count = 1

    private init(_ sale: Sale) { first = sale }

    /// Returns the rows of sales, in the order of the first sale of each.
    static func rows(of sales: [Sale]) -> [SaleRow] {
        var rows: [SaleRow] = []
        for sale in sales {
            if let place = rows.firstIndex(where: { $0.stands(for: sale) }) {
                rows[place].count += 1
            } else {
                rows.append(SaleRow(sale))
            }
        }
        return rows
    }

    /// Whether a sale differs from the first one of the row in its token alone.
    private func stands(for sale: Sale) -> Bool {
        guard let listing = first.listing, listing == sale.listing,
            first.listedAgain == nil, sale.listedAgain == nil
        else { return false }
        return first.chain == sale.chain && first.price == sale.price && first.own == sale.own
            && first.other == sale.other && SaleText.state(first) == SaleText.state(sale)
            && first.nextSteps == sale.nextSteps
    }

    var title: String {
        let title = first.title ?? "(its listing is not here)"
        return count == 1 ? title : "\(title), \(count) pieces"
    }

    var state: String { SaleText.state(first) }

    var price: String {
        CurrencyUnits.on(first.chain) {
            MoneyText.paid(first.price) + ListingText.chain(first.chain)
        }
    }

    var part: String { SaleText.part(in: first) }

    /// The command of the likeliest step; empty if there is none.
    var next: String {
        NextStep.of(first).first.map { String($0.command.dropFirst("stoa ".count)) } ?? ""
    }

    var id: String { IDText.cell(first.id) }
}
