import Client

/// A request for money in the form that other wallets read, such as
/// `ethereum:0x5aAe…@1?value=500000000000000000`.
///
/// A token's request names the token's contract and the call `transfer`; without an amount the
/// payer's wallet asks for it.
///
/// Source: EIP-681; the `@` and a chain id follow the address, numbers are in the smallest unit.
struct PaymentURI {
    let account: String
    let chain: UInt64
    /// `native`, or the token contract's address.
    var currency = "native"
    /// In the currency's smallest unit.
    var amount: String?

    var text: String {
        guard currency != "native" else {
            return "ethereum:\(account)@\(chain)" + (amount.map { "?value=\($0)" } ?? "")
        }
        let part = amount.map { "&uint256=\($0)" } ?? ""
        return "ethereum:\(currency)@\(chain)/transfer?address=\(account)\(part)"
    }
}
