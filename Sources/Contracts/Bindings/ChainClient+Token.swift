package import Ethereum
package import Keys
package import Market

extension ChainClient {
    /// Asks a token's contract for its name, symbol and decimals, to pin them in a market's file.
    ///
    /// A fact that the contract does not state, or states in another form, is `nil`; so is a symbol
    /// or name of more than 64 bytes. These details can be shown only through a
    /// ``CurrencyRegistry``.
    ///
    /// - Throws: ``DeployError/notToken(_:)`` if there is no contract; ``EthereumError`` if the
    ///   chain cannot be asked.
    package func token(at address: Address) async throws -> DeployedMarket.Token {
        guard try await !code(of: address).isEmpty else {
            throw DeployError.notToken(address)
        }
        let token = TokenContract(address: address)
        return DeployedMarket.Token(
            address: address,
            name: try await text(token.name),
            symbol: try await text(token.symbol),
            decimals: try await decimals(of: address).flatMap { UInt8(exactly: $0) }
        )
    }

    /// Returns the first token of a market that counts in other decimals than its file says.
    ///
    /// A token of unknown decimals is shown in its smallest unit, so there is nothing to compare.
    func decimalsDifference(from market: DeployedMarket) async throws -> MarketDifference? {
        for token in market.tokens {
            guard let pinned = token.decimals else { continue }
            let found = try await decimals(of: token.address)
            guard found == UInt64(pinned) else {
                return .decimals(of: token.address, found)
            }
        }
        return nil
    }

    private func decimals(of token: Address) async throws -> UInt64? {
        do {
            return try await ask(TokenContract(address: token).decimals)
        } catch is PreflightError {
            return nil
        } catch is UnreadableAnswer {
            return nil
        }
    }

    /// Returns a token's text, or `nil` if its contract has none that can be read.
    private func text(_ call: ContractCall) async throws -> String? {
        let request = CallRequest(to: call.to, data: call.data)
        do {
            let text = try TokenContract.text(of: try await result(of: request))
            return (1...CurrencyRules.nameBytesMax).contains(text.utf8.count) ? text : nil
        } catch is PreflightError {
            return nil
        } catch is ABIError {
            return nil
        }
    }
}

extension CurrencyDescription {
    /// Returns the native currency of a chain under its usual name.
    package static func usual(on chain: ChainID) -> CurrencyDescription {
        let symbol = PriceText.nativeName(of: chain)
        return CurrencyDescription(
            name: symbol == "ETH" ? "Ether" : symbol,
            symbol: symbol,
            decimals: UInt64(CurrencyRules.nativeDecimals)
        )
    }
}
