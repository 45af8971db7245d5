/// Previews of what a call would pay, bring and sign; each takes what the call itself takes.
extension StoaClient {
    public func preview(_ content: ListingContent) async throws -> ActionPreview {
        try await post("listings/preview", content)
    }

    public func preview(
        editing listing: String,
        _ content: ListingContent
    ) async throws -> ActionPreview {
        try await post("listings/\(try Call.part(listing))/preview", content)
    }

    public func preview(withdrawing listing: String) async throws -> ActionPreview {
        try await post("listings/\(try Call.part(listing))/withdraw/preview", nil, key: nil)
    }

    public func preview(_ purchase: Purchase) async throws -> ActionPreview {
        try await post("sales/preview", purchase)
    }

    public func preview(sale id: String, _ move: SaleMove) async throws -> ActionPreview {
        try await post("sales/\(try Call.part(id))/moves/preview", move)
    }

    public func preview(_ collection: CreditCollection) async throws -> ActionPreview {
        try await post("wallet/collect/preview", collection)
    }

    public func preview(_ transfer: Transfer) async throws -> ActionPreview {
        try await post("wallet/send/preview", transfer)
    }

    public func preview(_ arbitration: Arbitration) async throws -> ActionPreview {
        try await post("arbitration/preview", arbitration)
    }

    public func previewOfSpeedUp(operation id: String) async throws -> ActionPreview {
        try await post("operations/\(try Call.part(id))/speed-up/preview", nil, key: nil)
    }

    public func previewOfCancel(operation id: String) async throws -> ActionPreview {
        try await post("operations/\(try Call.part(id))/cancel/preview", nil, key: nil)
    }

    public func preview(_ draft: ReviewDraft) async throws -> ActionPreview {
        try await post("reviews/preview", draft)
    }
}
