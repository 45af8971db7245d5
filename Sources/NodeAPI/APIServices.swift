package import AccountAccess
import Client
package import Concurrency
import Hummingbird
import Keys
package import Mail
import Market
package import MediaFiles
package import Storage
package import Trade

/// The services that answer the API's calls.
package struct APIServices: Sendable {
    let store: Store
    private let catalogue: Catalogue
    private let accounts: Accounts
    private let accountCreator: AccountCreator
    private let externalAccounts: ExternalAccounts
    private let operations: OperationLog
    private let chat: Chat
    private let media: MediaService
    private let curations: Curations
    private let reports: Reports
    private let digitalWorks: DigitalWorks
    let report: NodeReport
    let clock: any WallClock
    /// `nil` on a node without a chain.
    let market: MarketServices?

    package init(
        store: Store,
        catalogue: Catalogue,
        accounts: Accounts,
        accountCreator: AccountCreator,
        externalAccounts: ExternalAccounts,
        operations: OperationLog,
        chat: Chat,
        media: MediaService,
        curations: Curations,
        reports: Reports,
        digitalWorks: DigitalWorks,
        report: NodeReport,
        clock: any WallClock,
        market: MarketServices?
    ) {
        (self.store, self.catalogue, self.accounts) = (store, catalogue, accounts)
        (self.accountCreator, self.externalAccounts) = (accountCreator, externalAccounts)
        self.operations = operations
        (self.chat, self.media, self.curations) = (chat, media, curations)
        (self.reports, self.digitalWorks) = (reports, digitalWorks)
        (self.report, self.clock, self.market) = (report, clock, market)
    }

    /// Adds the handlers of all calls that these services answer, below `/v1`.
    func addRoutes(to group: RouterGroup<APIContext>) {
        let (ids, vault, listings) = (ids, chat.vault, market?.listings)
        addAccountRoutes(
            to: group,
            accounts: accounts,
            creator: accountCreator,
            recovery: Recovery(chat: chat, accounts: accounts, saleIndexes: market?.saleIndexes),
            profiles: chat.profilePublisher,
            open: { try unfinishedWork(of: $0) }
        )
        addExternalAccountRoutes(to: group, accounts: externalAccounts)
        addNodeRoutes(to: group, report: report, ids: ids)
        addOperationRoutes(to: group, operations: operations, replacer: market?.replacer, ids: ids)
        addChatRoutes(to: group, chat: chat, ids: ids)
        addContactRoutes(to: group, contacts: ContactNames(chat: chat), ids: ids)
        addCurationRoutes(to: group, curations: curations, ids: ids)
        addReportRoutes(to: group, reports: reports, ids: ids)
        addSavedRoutes(
            to: group,
            favourites: Favourites(vault: vault, listings: listings),
            carts: Carts(vault: vault, listings: listings),
            ids: ids
        )
        addAddressRoutes(to: group, addresses: DeliveryAddresses(vault: vault))
        addSearchRoutes(
            to: group,
            searches: SavedSearches(vault: vault, searcher: market?.listingSearcher),
            drafts: Drafts(vault: vault),
            ids: ids
        )
        addPlaceRoutes(to: group)
        addMediaRoutes(to: group, media: media)
        addProfileRoutes(
            to: group,
            profiles: Profiles(store: store, publisher: chat.profilePublisher, media: media),
            ids: ids
        )
        addWorkRoutes(to: group, digitalWorks: digitalWorks)
        if let market { addTradeRoutes(to: group, market: market, ids: ids) }
    }

    private func addTradeRoutes(
        to group: RouterGroup<APIContext>,
        market: MarketServices,
        ids: IDResolver
    ) {
        let addresses = DeliveryAddresses(vault: chat.vault)
        addListingRoutes(
            to: group,
            market: market,
            curations: curations,
            addresses: addresses,
            ids: ids
        )
        let mail = SaleMail(
            chat: chat,
            media: digitalWorks.media,
            saleIndexes: market.saleIndexes
        )
        addSaleRoutes(
            to: group,
            market: market,
            mail: mail,
            notes: RequestNotes(chat: chat, mail: mail, saleIndexes: market.saleIndexes),
            digitalWorks: digitalWorks,
            media: media,
            ids: ids
        )
        addDeliveryRoutes(to: group, mail: mail, ids: ids)
        addPriceOfferRoutes(
            to: group,
            offers: PriceOffers(chat: chat, market: market),
            market: market,
            ids: ids
        )
        addBoughtWorkRoute(to: group, digitalWorks: digitalWorks, ids: ids)
        addStudentRoutes(to: group, lists: market.studentLists, ids: ids)
        addItemRoutes(to: group, market: market)
        addArbitrationRoutes(to: group, market: market, ids: ids)
        addReviewRoutes(to: group, reviews: market.reviews, ids: ids)
        addWalletRoutes(to: group, market: market, ids: ids)
        addSignatureRoutes(to: group, signatures: market.signatures, ids: ids)
    }

    /// Finds things by prefixes of their ids and by names.
    private var ids: IDResolver {
        IDResolver(
            store: store,
            operations: operations,
            names: NameBook(accounts: accounts, chat: chat, store: store),
            market: market.map {
                MarketIndex(
                    store: store,
                    catalogue: catalogue,
                    saleIndexes: $0.saleIndexes,
                    clock: clock
                )
            }
        )
    }

    private func unfinishedWork(of account: Address) throws -> UnfinishedWork {
        let sales = market?.saleIndexes.views(of: account) ?? []
        return UnfinishedWork(
            sales: sales.count { $0.sale.state.isUnfinished(for: account) },
            operations: try operations.unfinished().count {
                $0.operation.account == account.checksummed
            }
        )
    }
}
