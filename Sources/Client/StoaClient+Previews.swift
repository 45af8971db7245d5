/// Previews of the payment, proceeds and signatures of a call; each takes the same input as the
/// call.
extension StoaClient {
    /// Previews giving a token to another account.
    public func preview(_ gift: Gift) async throws -> ActionPreview {
        try await call(API.listings.previewGive, gift)
    }

    public func preview(_ content: ListingContent) async throws -> ActionPreview {
        try await call(API.listings.preview, content)
    }

    public func preview(
        editing listing: String,
        _ content: ListingContent
    ) async throws -> ActionPreview {
        try await call(API.listings.previewEdit, at: listing, content)
    }

    public func preview(
        piecesOf listing: String,
        _ change: PieceChange
    ) async throws -> ActionPreview {
        try await call(API.listings.previewPieces, at: listing, change)
    }

    public func preview(withdrawing listing: String) async throws -> ActionPreview {
        try await call(API.listings.previewWithdraw, at: listing)
    }

    public func preview(_ purchase: Purchase) async throws -> ActionPreview {
        try await call(API.sales.previewBuy, purchase)
    }

    public func preview(sale id: String, _ move: SaleMove) async throws -> ActionPreview {
        try await call(API.sales.previewMove, at: id, move)
    }

    public func preview(_ collection: CreditCollection) async throws -> ActionPreview {
        try await call(API.wallet.previewCollect, collection)
    }

    public func preview(_ transfer: Transfer) async throws -> ActionPreview {
        try await call(API.wallet.previewSend, transfer)
    }

    public func preview(_ arbitration: Arbitration) async throws -> ActionPreview {
        try await call(API.reputation.previewArbitrate, arbitration)
    }

    public func previewOfSpeedUp(operation id: String) async throws -> ActionPreview {
        try await call(API.operations.previewSpeedUp, at: id)
    }

    public func previewOfCancel(operation id: String) async throws -> ActionPreview {
        try await call(API.operations.previewCancel, at: id)
    }

    public func preview(_ draft: ReviewDraft) async throws -> ActionPreview {
        try await call(API.reputation.previewReview, draft)
    }
}
