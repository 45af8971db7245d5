import Client
import Contracts
import Ethereum
import Foundation
import Keys
import Market
import NIOHTTP1
import Support
import Testing
import TradeSupport

/// Accounts whose keys are in wallets outside the node, over the API.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ExternalSigningTests {
    private static let key = testKey(77)

    /// - From people: a statement that another key signed, that names another node, account or
    ///   name, or that has expired; a text that is not a signature → bad_signature
    /// - From people: the key, the keystore or the messages of an account that signs elsewhere →
    ///   signs_elsewhere
    @Test func `only the key's owner can add an account, and it reveals no key`() async throws {
        try await TestNode.run { node in
            let session = try await OutsideWallet.add(Self.key, as: "cara", to: node)
            #expect(session.account.address == Self.key.address.checksummed)

            let twice = await #expect(throws: Problem.self) {
                try await OutsideWallet.add(Self.key, as: "cara2", to: node)
            }
            #expect(twice?.code == ProblemCode.nameTaken.rawValue)
            // There is no phrase to advise.
            #expect(twice?.detail.contains("has no recovery phrase on this node") == true)

            let address = Self.key.address.checksummed
            let asked = try await node.call(
                .POST,
                "external-accounts/statement",
                body: #"{"name":"dora","address":"\#(testKey(78).address.checksummed)"}"#
            ).read(ExternalAccountStatement.self)
            // Cara's key signs for an account that is not hers.
            let digest = try TypedData(json: Data(asked.typedData.utf8)).digest
            let forged = "0x" + Hex.encode(Self.key.sign(digest).bytes)
            for signature in [forged, "0x12"] {
                let body = """
                    {"name":"dora","address":"\(testKey(78).address.checksummed)",\
                    "password":"correct horse","validUntil":\(asked.validUntil),\
                    "signature":"\(signature)"}
                    """
                let answer = try await node.call(.POST, "external-accounts", body: body)
                #expect(answer.code == ProblemCode.badSignature.rawValue)
            }
            let proof = #"{"password":"correct horse"}"#
            for path in ["keystore", "key"] {
                let answer = try await node.call(.POST, "accounts/cara/\(path)", body: proof)
                #expect(answer.code == ProblemCode.signsElsewhere.rawValue, "\(path)")
            }
            let wrong = try await node.call(
                .POST,
                "accounts/\(address)/key",
                body: #"{"password":"wrong horse"}"#
            )
            #expect(wrong.code == ProblemCode.wrongPassword.rawValue)
            let mail = try await node.call(.GET, "conversations", token: session.token)
            #expect(mail.code == ProblemCode.signsElsewhere.rawValue)
            let change = #"{"password":"correct horse","newPassword":"battery staple"}"#
            _ = try await node.call(.POST, "accounts/cara/password", body: change)
            let body = #"{"account":"cara","password":"battery staple"}"#
            let again = try await node.call(.POST, "sessions", body: body).read(Session.self)
            #expect(again.account.signsElsewhere == true && again.account.isUnlocked)
        }
    }

    /// - From people: a review by an account that signs elsewhere → signs_elsewhere
    @Test func `lists and sells with signatures from only its wallet`() async throws {
        try await MarketNode.run { market in
            let cara = try await OutsideWallet.add(Self.key, as: "cara", to: market.node)
            try await market.harness.dev.fund(Self.key.address)
            let (listing, sale) = try await market.asking(cara) { client in
                try await client.waitUntilFunded()
                let wallet = OutsideWallet(client: client, key: Self.key)
                let begun = try await client.list(MarketNode.bicycle)
                let (ended, words) = try await wallet.carryOut(begun, wallet.signature)
                #expect(ended.state == .done, "\(ended)")
                let intents = words.compactMap(\.first)
                #expect(intents.first == "Allow a contract to make items in your name", "\(words)")
                #expect(intents.contains("Offer an item and lock your deposit"), "\(words)")
                #expect(intents.last?.contains("Red bicycle") == true, "\(words)")
                let listing = try await client.listing(ended.subject ?? "")
                #expect(
                    listing.author == Self.key.address.checksummed && listing.isAsPromised == true
                )
                return (listing.id, listing.anchor?.sale ?? "")
            }
            try await market.harness.dev.fund(try Address(text: market.bo.account.address))
            try await market.asking(market.bo) { client in
                try await client.waitUntilFunded()
                let begun = try await client.buy(Purchase(listing: listing, shipTo: "DE"))
                #expect(try await client.follow(begun) { _ in }.state == .done)
            }
            try await market.asking(cara) { client in
                let wallet = OutsideWallet(client: client, key: Self.key)
                // A purchase can be answered once it is final.
                try await waitUntil {
                    let now = try await client.sale(sale)
                    return now.phase == "paid" && now.confirmations >= now.confirmationsNeeded
                }
                // This time the wallet sends the transaction itself.
                let move = Client.SaleMove(move: "transfer")
                let begun = try await client.move(sale: sale, move)
                let (ended, words) = try await wallet.carryOut(begun) { request in
                    let asked = try #require(request.transaction)
                    let signed = try Self.signed(asked)
                    try await Self.send(signed, to: market.harness)
                    return SignatureAnswer(hash: signed.hash.hex)
                }
                #expect(ended.state == .done, "\(ended)")
                #expect(words.first?.first == "Say that the item is on its way")
                #expect(try await client.sale(sale).phase == "transferred")
                let review = try await ProblemCode.refusing {
                    _ = try await client.review(ReviewDraft(sale: sale, stars: 5))
                }
                #expect(review == .signsElsewhere)
            }
        }
    }

    /// - From people: a signature or signed transaction by somebody else, or of something that was
    ///   not asked for; the hash of a transaction that no endpoint knows → bad_signature
    /// - From people: a signature for an operation that is not waiting for one → move_not_open
    /// - From people: a signature, a transaction and a hash at once, or none of them →
    ///   malformed_value; in a command exit 2
    @Test func `refuses a signature for another request; a cancelled request ends`()
        async throws
    {
        try await MarketNode.run { market in
            let cara = try await OutsideWallet.add(Self.key, as: "cara", to: market.node)
            try await market.harness.dev.fund(Self.key.address)
            try await market.asking(cara) { client in
                try await client.waitUntilFunded()
                let begun = try await client.list(MarketNode.bicycle)
                try await waitUntil {
                    try await client.operation(begun.id).state == .needsSignature
                }
                let request = try await client.signatureRequest(operation: begun.id)
                let asked = try #require(request.transaction)
                let stranger = try Self.signed(asked, by: testKey(78))
                let answers = [
                    SignatureAnswer(transaction: "0x" + Hex.encode(stranger.encoded)),
                    SignatureAnswer(hash: stranger.hash.hex),
                    SignatureAnswer(signature: "0x" + Hex.encode(stranger.signature.bytes)),
                    SignatureAnswer(transaction: "0x"), SignatureAnswer(hash: "0x1"),
                ]
                for answer in answers {
                    let code = try await ProblemCode.refusing {
                        _ = try await client.give(answer, operation: begun.id)
                    }
                    #expect(code == .badSignature, "\(answer)")
                }
                let nothing = try await ProblemCode.refusing {
                    _ = try await client.give(SignatureAnswer(), operation: begun.id)
                }
                #expect(nothing == .malformedValue)
                #expect(try await client.signatureRequest(operation: begun.id) == request)
                _ = try await client.cancel(operation: begun.id)
                let ended = try await client.follow(try await client.operation(begun.id)) { _ in }
                #expect(ended.state == .failed)
                #expect(try await client.signatureRequests().isEmpty)
                let over = try await ProblemCode.refusing {
                    _ = try await client.signatureRequest(operation: begun.id)
                }
                #expect(over == .moveNotOpen)
            }
        }
    }

    /// Sends a transaction past the node, as a wallet does that has an endpoint of its own.
    private static func send(
        _ signed: SignedTransaction,
        to harness: MarketHarness
    ) async throws {
        let client = ChainClient(
            chain: harness.market.chain,
            endpoints: [harness.dev.endpoint],
            transport: harness.transport,
            logger: quiet
        )
        _ = try await client.perform(.send(signed.encoded))
    }

    /// Signs as a wallet does that chooses its own fee below the limit.
    private static func signed(
        _ asked: UnsignedTransaction,
        by key: PrivateKey = key
    ) throws -> SignedTransaction {
        let transaction = Transaction(
            chain: ChainID(asked.chain),
            nonce: asked.nonce,
            to: try asked.to.map { try Address(text: $0) },
            value: try #require(Amount(decimal: asked.value)),
            data: try #require(Hex.decode(String(asked.data.dropFirst(2)))),
            gasLimit: asked.gas,
            pricing: .dynamic(
                priorityFee: try #require(Amount(decimal: asked.maxPriorityFeePerGas ?? "")),
                feeCap: try #require(Amount(decimal: asked.maxFeePerGas ?? ""))
            )
        )
        return try transaction.signed(by: key)
    }
}
