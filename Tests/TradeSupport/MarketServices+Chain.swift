package import Ethereum
package import Trade

/// The services of the only chain of a market, for tests of one.
extension MarketServices {
    private var chain: ChainServices { chains[0] }

    package var saleIndex: SaleIndex { chain.saleIndex }
    package var service: ChainService { chain.service }
    package var client: ChainClient { chain.client }
    package var wallets: Wallets { chain.wallets }
    package var arbiters: ArbiterRegistry { chain.arbiters }
}
