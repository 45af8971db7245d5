package import Keys

/// What a sale is paid in: the chain's own money, or an ERC-20 token.
package enum Currency: Hashable, Sendable {
    case native
    case token(Address)

    /// From the form contracts use, in which the zero address is the chain's own money.
    package init(address: Address) {
        self = address == .zero ? .native : .token(address)
    }

    package var address: Address {
        switch self {
        case .native: .zero
        case .token(let address): address
        }
    }
}
