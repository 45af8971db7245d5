package import Keys
package import Market

/// An unsigned transaction.
///
/// Source: EIP-155, EIP-2718, EIP-2930, EIP-1559.
package struct Transaction: Hashable, Sendable {
    /// The largest chain id for which the `v` of EIP-155, twice the id plus 36, fits into 64 bits.
    private static let legacyChainMax = (UInt64.max - 36) / 2

    /// The chain's id; `nil` only in a legacy transaction from before EIP-155.
    ///
    /// Such a transaction can be decoded, but Stoa never signs one, because any chain would accept
    /// it.
    package let chain: ChainID?
    package let nonce: UInt64
    /// The receiver; `nil` creates a contract from `data`.
    package let to: Address?
    /// The value, in wei.
    package let value: Amount
    package let data: [UInt8]
    package let gasLimit: UInt64
    package let pricing: TransactionPricing

    package init(
        chain: ChainID,
        nonce: UInt64,
        to: Address?,
        value: Amount,
        data: [UInt8],
        gasLimit: UInt64,
        pricing: TransactionPricing
    ) {
        self.init(
            readFrom: chain,
            nonce: nonce,
            to: to,
            value: value,
            data: data,
            gasLimit: gasLimit,
            pricing: pricing
        )
    }

    init(
        readFrom chain: ChainID?,
        nonce: UInt64,
        to: Address?,
        value: Amount,
        data: [UInt8],
        gasLimit: UInt64,
        pricing: TransactionPricing
    ) {
        (self.chain, self.nonce, self.to, self.value) = (chain, nonce, to, value)
        (self.data, self.gasLimit, self.pricing) = (data, gasLimit, pricing)
    }

    /// The intrinsic gas, charged before execution; a lower gas limit is never accepted.
    ///
    /// Source: Ethereum Yellow Paper (Berlin), section 6.2; EIP-2028; EIP-2930. It does not include
    /// the charge for creation code that came with Shanghai (EIP-3860).
    package var intrinsicGas: UInt64 {
        let listGas = pricing.accessList.reduce(0 as UInt64) {
            $0 + 2_400 + 1_900 * UInt64($1.storageKeys.count)
        }
        return Self.intrinsicGas(to: to, data: data) + listGas
    }

    /// Returns the intrinsic gas of a transaction without an access list.
    static func intrinsicGas(to receiver: Address?, data: [UInt8]) -> UInt64 {
        let dataGas = data.reduce(0 as UInt64) { $0 + ($1 == 0 ? 4 : 16) }
        return 21_000 + (receiver == nil ? 32_000 : 0) + dataGas
    }

    /// The call that it makes, without nonce, gas and fee.
    package var call: Intent.Step { Intent.Step(to: to, value: value, data: data) }

    /// The bytes whose hash the sender signs.
    package var unsignedEncoding: [UInt8] {
        var fields = unsignedFields
        if pricing.typeByte == nil, let chain {
            fields += [.small(chain.number), .empty, .empty]
        }
        return enveloped(fields)
    }

    /// The hash that the sender signs.
    package var signingHash: Bytes32 { Keccak256.hash(unsignedEncoding) }

    /// Signs the transaction.
    ///
    /// - Throws: ``TransactionError`` if no chain could ever accept the transaction; then nothing
    ///   is signed.
    package func signed(by key: PrivateKey) throws(TransactionError) -> SignedTransaction {
        guard chain != nil else { throw .withoutChain }
        try check()
        return SignedTransaction(self, signature: key.sign(signingHash), sender: key.address)
    }

    /// Checks the rules that need no state.
    ///
    /// Source: EIP-2681 (nonce); EIP-1559 (fees); Ethereum Yellow Paper (Berlin), section 6.
    func check() throws(TransactionError) {
        guard nonce < .max else { throw .outOfRange(.nonce) }
        if pricing.typeByte == nil, let chain, chain.number > Self.legacyChainMax {
            throw .outOfRange(.chain)
        }
        if case .dynamic(let priorityFee, let feeCap, _) = pricing, priorityFee > feeCap {
            throw .priorityFeeAboveCap
        }
        guard pricing.feeCap.multiplied(by: gasLimit) != nil else { throw .feeOverflow }
        let needed = intrinsicGas
        guard gasLimit >= needed else { throw .gasLimitTooLow(needed: needed) }
    }

    /// Encodes the transaction with its signature.
    func encoded(with signature: Signature) -> [UInt8] {
        let v =
            switch (pricing.typeByte, chain) {
            case (.some, _): UInt64(signature.recoveryID)
            case (nil, .some(let chain)): chain.number * 2 + 35 + UInt64(signature.recoveryID)
            case (nil, nil): 27 + UInt64(signature.recoveryID)
            }
        let parts = [
            RLPItem.small(v), .bytes(signature.r.minimalBytes), .bytes(signature.s.minimalBytes),
        ]
        return enveloped(unsignedFields + parts)
    }

    private func enveloped(_ fields: [RLPItem]) -> [UInt8] {
        let list = RLP.encode(list: fields)
        return if let typeByte = pricing.typeByte { [typeByte] + list } else { list }
    }

    private var unsignedFields: [RLPItem] {
        let body: [RLPItem] = [
            .small(gasLimit), .address(to), .number(value.units), .bytes(data),
        ]
        let chainItem = RLPItem.small(chain?.number ?? 0)
        switch pricing {
        case .legacy(let gasPrice):
            return [.small(nonce), .number(gasPrice.units)] + body
        case .accessList(let gasPrice, let entries):
            let list = RLPItem.list(entries.map(\.item))
            return [chainItem, .small(nonce), .number(gasPrice.units)] + body + [list]
        case .dynamic(let priorityFee, let feeCap, let entries):
            let list = RLPItem.list(entries.map(\.item))
            let fees: [RLPItem] = [.number(priorityFee.units), .number(feeCap.units)]
            return [chainItem, .small(nonce)] + fees + body + [list]
        }
    }
}

extension Bytes32 {
    /// The bytes without leading zeros.
    fileprivate var minimalBytes: [UInt8] { [UInt8](bytes.drop { $0 == 0 }) }
}
