import Keys
import Market

/// A whole block header, as an endpoint announces it.
package struct AnnouncedBlock: Equatable, Sendable {
    package let header: BlockHeader
    /// The filter of the block's logs, if the block's hash proves it.
    ///
    /// The hash covers the filter, and later blocks cover the hash. `nil` if the hash is not that
    /// of the fields: the header is forged, or the chain's headers have another form.
    package let bloom: LogBloom?

    package init(header: BlockHeader, bloom: LogBloom?) {
        (self.header, self.bloom) = (header, bloom)
    }
}

extension AnnouncedBlock: Decodable {
    private enum Key: String, CodingKey {
        case sha3Uncles, miner, stateRoot, transactionsRoot, receiptsRoot, logsBloom, difficulty
        case gasLimit, gasUsed, extraData, mixHash, nonce, withdrawalsRoot, blobGasUsed
        case excessBlobGas, parentBeaconBlockRoot, requestsHash
    }

    package init(from decoder: any Decoder) throws {
        let header = try BlockHeader(from: decoder)
        self.header = header
        let fields = try? decoder.container(keyedBy: Key.self)
        guard let bloom = fields.flatMap({ try? $0.decode(HexBytes.self, forKey: .logsBloom) }),
            let items = fields.flatMap({ try? Self.items(of: $0, header) }),
            Keccak256.hash(RLP.encode(list: items)) == header.id.hash
        else {
            self.bloom = nil
            return
        }
        self.bloom = LogBloom(bloom.bytes)
    }

    /// Returns the fields that a block's hash covers, in their order.
    ///
    /// Source: Ethereum Yellow Paper, section 4.4; EIP-1559, EIP-4895, EIP-4844, EIP-4788 and
    /// EIP-7685 for the fields at the end, each of which needs those before it.
    private static func items(
        of fields: KeyedDecodingContainer<Key>,
        _ header: BlockHeader
    ) throws -> [RLPItem] {
        func bytes(_ key: Key) throws -> RLPItem {
            .bytes(try fields.decode(HexBytes.self, forKey: key).bytes)
        }
        func number(_ key: Key) throws -> RLPItem {
            .number(try fields.decode(Quantity.self, forKey: key).amount.units)
        }
        var items = [
            .bytes(header.parent.bytes), try bytes(.sha3Uncles), try bytes(.miner),
            try bytes(.stateRoot), try bytes(.transactionsRoot), try bytes(.receiptsRoot),
            try bytes(.logsBloom), try number(.difficulty), .small(header.number),
            try number(.gasLimit), try number(.gasUsed), .small(header.timestamp),
            try bytes(.extraData), try bytes(.mixHash), try bytes(.nonce),
        ]
        guard let baseFee = header.baseFee else { return items }
        items.append(.number(baseFee.units))
        for key in [Key.withdrawalsRoot, .blobGasUsed, .excessBlobGas, .parentBeaconBlockRoot] {
            guard fields.contains(key) else { return items }
            let isNumber = key == .blobGasUsed || key == .excessBlobGas
            items.append(isNumber ? try number(key) : try bytes(key))
        }
        if fields.contains(.requestsHash) { items.append(try bytes(.requestsHash)) }
        return items
    }
}
