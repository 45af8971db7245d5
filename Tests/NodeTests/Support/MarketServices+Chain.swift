import Contracts
import Trade

/// The services of the only chain of a market, for tests of one.
extension MarketServices {
    private var chain: ChainServices { chains[0] }

    var saleIndex: SaleIndex { chain.saleIndex }
    var service: ChainService { chain.service }
    var client: ChainClient { chain.client }
    var wallets: Wallets { chain.wallets }
    var history: WalletHistory { chain.history }
    var arbiters: ArbiterRegistry { chain.arbiters }
}
