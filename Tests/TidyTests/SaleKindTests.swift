import Foundation
import Testing

/// Keeps each kind of sale in files of its own; see Docs/architecture.md, "A new way to sell".
struct SaleKindTests {
    /// The other files that name kinds: registries, artifacts, the rules of listings, and what shows
    /// a part.
    private static let registries: Set<String> = [
        "Market/Sales/SaleKind.swift", "Market/Sales/SaleTerms.swift",
        "Market/Records/ListingRules.swift", "Trade/Sales/SaleKinds.swift",
        "Contracts/Bindings/EmbeddedArtifacts.swift",
        "Trade/Sales/Client.Sale+Status.swift", "Trade/Sales/Client.Sale+Steps.swift",
        "Trade/Sales/Client.Sale+Turn.swift",
        "Client/Types/FieldFacts.swift", "Client/Types/Listing.swift",
        "Client/Types/ListingContent.swift", "Client/Types/ListingRow.swift",
        "Client/Types/Sale.swift",
        "Client/Types/SaleMove.swift",
        "Client/Types/Purchase.swift",
        "CLI/Commands/ListingCommand.swift",
        "CLI/Commands/ListingText.swift", "CLI/Commands/SaleText.swift",
        "CLI/Commands/TermsOptions.swift", "CLI/Commands/PurchaseKind.swift",
        "CLI/Terminal/NextStep.swift",
        "CLI/Commands/EventSentences.swift",
        "CLI/Terminal/ProblemText.swift",
    ]

    /// A kind by its words, the names of its own files and folders, and what else names it.
    private struct Kind {
        let words: [String]
        let files: [String]
        let others: Set<String>
    }

    private static let kinds = [
        Kind(
            words: ["escrow"],
            files: ["Escrow"],
            others: [
                // A sale without deposits warns that only an escrow protects.
                "Trade/Sales/Items/ItemSales.swift",
                // Only a sale by escrow can have an arbiter.
                "CLI/Commands/ArbiterQuestion.swift",
            ]
        ),
        Kind(
            words: ["auction"],
            files: ["Auction", "SaleBid"],
            others: sharedByItemSales.union([
                "Trade/Listings/ListingContent+Market.swift",
                // A word of recovery phrases.
                "Keys/Recovery/EnglishWords.swift",
            ])
        ),
        Kind(
            words: ["direct sale", "directsale"],
            files: ["DirectSale"],
            others: sharedByItemSales
        ),
        Kind(
            words: ["course", "enrol"],
            files: ["Course", "Courses"],
            others: [
                // A course is a form of listing too.
                "Market/Records/Listing.swift", "Trade/Listings/ListingContent+Market.swift",
                // The lists of its students are calls of a sale.
                "Client/Calls/SaleCalls.swift",
                // Its students review it, and its moves have rounds and points.
                "Market/Records/AnchorStatus.swift",
                "Trade/Sales/Items/ItemSales.swift",
                "Contracts/Bindings/MoneyContract.swift", "CLI/Stoa.swift",
                "Keys/Recovery/EnglishWords.swift",
                // It is no single thing with a token, and its form has words.
                "Trade/Operations/OperationPlan.swift", "Answers/RuleFault+Refusal.swift",
                // Its sessions are words of a listing.
                "CLI/Commands/ListingWordOptions.swift",
            ]
        ),
    ]

    /// What auctions and direct sales have in common.
    private static let sharedByItemSales: Set<String> = [
        "Market/Sales/Items/ItemTerms.swift", "Trade/Sales/Items/ItemSales.swift",
    ]

    @Test func `only a kind's own files and the registries name the kind`() throws {
        var all: Set<String> = []
        for kind in Self.kinds {
            let named = try Self.files(naming: kind)
            #expect(named.subtracting(Self.registries).subtracting(kind.others).isEmpty)
            all.formUnion(named)
        }
        // Nothing is excepted that need not be.
        #expect(all == Self.kinds.reduce(Self.registries) { $0.union($1.others) })
    }

    /// The files that name a kind and are not its own.
    private static func files(naming kind: Kind) throws -> Set<String> {
        var named: Set<String> = []
        for file in sources(under: "Sources") {
            let text = try String(contentsOf: file, encoding: .utf8)
            guard kind.words.contains(where: text.localizedCaseInsensitiveContains) else {
                continue
            }
            let path = file.path.dropFirst(root.appending(path: "Sources").path.count + 1)
            let isOwn = kind.files.contains {
                path.contains("/\($0)/") || file.lastPathComponent.contains($0)
            }
            if !isOwn { named.insert(String(path)) }
        }
        return named
    }
}
