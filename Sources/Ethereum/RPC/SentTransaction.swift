package import Keys
import Market

/// A transaction as an endpoint shows it, put together again from its fields.
///
/// Only the signed fields can be put together to the transaction's hash, so an endpoint cannot
/// change a field without changing the hash or the signer.
///
/// Source: Ethereum JSON-RPC specification, "eth_getTransactionByHash".
package struct SentTransaction: Decodable, Equatable, Sendable {
    package let content: Content

    /// The transaction, or its type if that is unknown.
    package enum Content: Equatable, Sendable {
        case signed(SignedTransaction)
        /// A transaction of a type that Stoa does not know, such as one with blobs: chains have
        /// them, so this is not the endpoint's fault.
        case ofUnknownType(UInt8)
    }

    private enum Key: String, CodingKey {
        case type, chainId, nonce, to, value, input, gas, gasPrice
        case maxFeePerGas, maxPriorityFeePerGas, accessList, v, r, s
    }

    private struct Entry: Decodable {
        let address: HexBytes
        let storageKeys: [HexBytes]
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        let type = try fields.decodeIfPresent(Quantity.self, forKey: .type)?.number ?? 0
        guard type <= 2 else {
            content = .ofUnknownType(UInt8(clamping: type))
            return
        }
        let v = try fields.number(.v, most: .max)
        let isTyped = type != 0
        // A legacy transaction has its chain in `v`; 27 and 28 name none.
        let chain: UInt64? =
            isTyped ? try fields.number(.chainId, most: .max) : v < 35 ? nil : (v - 35) / 2
        let transaction = Transaction(
            readFrom: chain.map { ChainID($0) },
            nonce: try fields.number(.nonce, most: .max),
            to: try fields.decodeIfPresent(HexBytes.self, forKey: .to).map { _ in
                try fields.address(.to)
            },
            value: try fields.amount(.value),
            data: try fields.decode(HexBytes.self, forKey: .input).bytes,
            gasLimit: try fields.number(.gas, most: .max),
            pricing: try Self.pricing(of: type, fields)
        )
        let recoveryID = isTyped ? v : chain == nil ? v &- 27 : (v - 35) % 2
        guard
            let signature = Signature(
                r: try fields.amount(.r).word,
                s: try fields.amount(.s).word,
                recoveryID: UInt8(exactly: recoveryID) ?? .max
            )
        else { throw Self.fault(.v, in: fields, "not a parity") }
        do {
            content = .signed(try SignedTransaction.decode(transaction.encoded(with: signature)))
        } catch {
            throw Self.fault(.r, in: fields, "no transaction that a chain takes: \(error)")
        }
    }

    private static func pricing(
        of type: UInt64,
        _ fields: KeyedDecodingContainer<Key>
    ) throws -> TransactionPricing {
        switch type {
        case 0: return .legacy(gasPrice: try fields.amount(.gasPrice))
        case 1: return .accessList(gasPrice: try fields.amount(.gasPrice), try entries(of: fields))
        default:
            return .dynamic(
                priorityFee: try fields.amount(.maxPriorityFeePerGas),
                feeCap: try fields.amount(.maxFeePerGas),
                try entries(of: fields)
            )
        }
    }

    private static func entries(
        of fields: KeyedDecodingContainer<Key>
    ) throws -> [AccessListEntry] {
        try fields.decode([Entry].self, forKey: .accessList).map { entry in
            let keys = entry.storageKeys.compactMap { Bytes32($0.bytes) }
            guard let address = Address(entry.address.bytes),
                keys.count == entry.storageKeys.count
            else { throw fault(.accessList, in: fields, "not addresses and their slots") }
            return AccessListEntry(address: address, storageKeys: keys)
        }
    }

    private static func fault(
        _ key: Key,
        in fields: KeyedDecodingContainer<Key>,
        _ words: String
    ) -> DecodingError {
        .dataCorruptedError(forKey: key, in: fields, debugDescription: words)
    }
}

extension Amount {
    /// The number as 32 bytes.
    fileprivate var word: Bytes32 {
        let bytes = units.bigEndianBytes
        guard let word = Bytes32([UInt8](repeating: 0, count: 32 - bytes.count) + bytes) else {
            preconditionFailure("an amount has at most 256 bits")
        }
        return word
    }
}

extension RPCCall where Answer == SentTransaction? {
    /// Reads a transaction that is mined, or that waits at the endpoint.
    package static func transaction(_ hash: Bytes32) -> Self {
        Self("eth_getTransactionByHash", [.bytes(hash.bytes)])
    }
}

extension ChainClient {
    /// How many endpoints are asked for one transaction at most.
    private static let sentSourcesMax = 3

    /// Returns the signed transaction of a hash, such as one that a wallet sent on its own.
    ///
    /// The hash proves it, so one endpoint that has it is enough.
    ///
    /// - Returns: `nil` if no endpoint knows it, which one may a moment later.
    /// - Throws: ``AskedTransactionFault`` if it is of a type that Stoa does not know;
    ///   ``EthereumError``; an endpoint that shows another transaction is not used for a while.
    package func sentTransaction(_ hash: Bytes32) async throws -> SignedTransaction? {
        var asked: Set<EndpointName> = []
        var isAnswered = false
        var failure: (any Error)?
        var next: EndpointSession? = try await session()
        while let session = next {
            asked.insert(session.name)
            do {
                if let found = try await transaction(of: hash, by: session) { return found }
                isAnswered = true
            } catch let error as AskedTransactionFault {
                failure = error
            } catch let error as EthereumError {
                failure = failure ?? error
            }
            next = asked.count < Self.sentSourcesMax ? try await another(than: asked) : nil
        }
        if let failure, !isAnswered || failure is AskedTransactionFault { throw failure }
        return nil
    }

    private func transaction(
        of hash: Bytes32,
        by session: EndpointSession
    ) async throws -> SignedTransaction? {
        let found: SignedTransaction
        switch try await session.perform(RPCCall.transaction(hash))?.content {
        case nil: return nil
        case .ofUnknownType(let type): throw AskedTransactionFault.unreadable(.unknownType(type))
        case .signed(let signed): found = signed
        }
        guard found.hash == hash else {
            mistrust(session, because: "another transaction than asked for")
            throw EthereumError.contradiction(
                session.name,
                detail: "another transaction than asked for"
            )
        }
        return found
    }
}
