import Foundation
import Testing

/// Keeps each kind of sale in files of its own; see Docs/architecture.md, "A new way to sell".
struct SaleKindTests {
    /// The other files that name a kind: registries, the rules of listings, and what shows a part.
    private static let registries: Set<String> = [
        "Market/Sales/SaleKind.swift", "Market/Sales/SaleTerms.swift",
        "Market/Records/ListingRules.swift", "Node/Sales/SaleKinds.swift",
        "Node/API/Document/APISchemas.swift", "Client/Types/Listing.swift",
        "Client/Types/Sale.swift", "CLI/Commands/ListingCommand.swift",
        "CLI/Commands/ListingText.swift", "CLI/Commands/SaleText.swift",
        "CLI/Commands/TermsOptions.swift",
    ]

    @Test func `escrow is named only in its own files and in the registries`() throws {
        var named: Set<String> = []
        for file in sources(under: "Sources") {
            let text = try String(contentsOf: file, encoding: .utf8)
            guard text.localizedCaseInsensitiveContains("escrow") else { continue }
            let path = file.path.dropFirst(root.appending(path: "Sources").path.count + 1)
            let isOwn = path.contains("/Escrow/") || file.lastPathComponent.contains("Escrow")
            if !isOwn { named.insert(String(path)) }
        }
        #expect(named == Self.registries)
    }
}
