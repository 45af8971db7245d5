import Client
import Hummingbird
import MediaFiles
import Trade

/// Adds the handlers of sales and the moves in them.
func addSaleRoutes(
    to group: RouterGroup<APIContext>,
    market: MarketServices,
    mail: SaleMail,
    notes: RequestNotes,
    digitalWorks: DigitalWorks,
    media: MediaService,
    ids: IDResolver
) {
    let sales = market.sales
    group.on(API.sales.list) { request in
        let account = try request.account
        var page = try await sales.sales(
            of: account,
            on: request[Query.list],
            in: request[Query.phase],
            byDeadline: request[Query.byDeadline],
            showsReplaced: request[Query.replaced],
            after: request[Query.after],
            limit: request[Query.limit]
        )
        page.items = await mail.addresses.addressed(page.items, for: account)
        return page
    }
    group.on(API.sales.buy, preview: API.sales.previewBuy) { request, account in
        var purchase = try await request.body
        // Words of a title are accepted only for a sale that the buyer was shown, or is shown now.
        let takesTitles = request.isPreview || purchase.sale != nil
        purchase.listing = try await ids.listing(
            purchase.listing,
            by: takesTitles ? .onSale : .none
        )
        return market.purchases.buy(
            purchase,
            by: account,
            notes: await notes.notes(for: purchase, by: account)
        )
    }
    group.on(API.sales.sale) { request in
        let id = try await ids.shownSale(request.id, request.context)
        let account = request.context.signedIn
        return await mail.opened(try await sales.sale(id, for: account), for: account)
    }
    group.answer(API.sales.picture) { request in
        let (account, picture) = (try request.account, try request[Query.picture] ?? "")
        let id = try ids.sale(request.id, request.context)
        let sent = try await request.context.whileConnected {
            let sealed = try await mail.pictures.picture(picture, in: id, for: account)
            return try await media.rewritten(sealed, for: account)
        }
        return sent.sealedResponse
    }
    group.on(API.sales.move, preview: API.sales.previewMove) { request, account in
        // Words of a title are for the preview, which shows the sale that they mean.
        let move = try await request.body
        let id =
            request.isPreview
            ? try await ids.shownSale(request.id, request.context, use: .move(move.move))
            : try ids.sale(request.id, request.context, takesTitles: false)
        let note = await notes.note(of: move, by: account)
        let reason =
            request.isPreview ? await mail.notes.reasonOfProposal(in: id, to: account) : nil
        let lacksKey =
            request.isPreview ? await digitalWorks.lacksKey(of: id, for: account) : false
        return market.moves.move(
            id,
            move,
            by: account,
            note: note,
            reason: reason,
            lacksKey: lacksKey
        )
    }
}
