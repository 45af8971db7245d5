import Client
import Foundation
import Keys
import Market
import NIOHTTP1
import Support
import Testing

/// Sending money over the API: names, the choice of fees, and the history of it.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct TransferAPITests {
    private static let ether: UInt64 = 1_000_000_000_000_000_000

    private static func code(_ body: () async throws -> some Sendable) async -> String? {
        do {
            _ = try await body()
            return nil
        } catch let problem as Problem {
            return problem.code
        } catch {
            return "\(error)"
        }
    }

    /// - From people: sending to an unknown name or a partial address → bad_address
    @Test func `a receiver must be a name or a whole address`() async throws {
        try await MarketNode.run { market in
            let bo = market.bo.account.address
            try await market.asking(market.ana) { client in
                try await client.waitUntilFunded()
                let byName = try await client.preview(Transfer(to: "bo", amount: "5"))
                let receiver = ActionPreview.Receiver(
                    account: bo,
                    name: "bo",
                    isHere: true,
                    isNamedByCaller: false
                )
                #expect(byName.receiver == receiver && byName.problems.isEmpty)
                #expect(
                    byName.warnings.map { $0.detail.contains("chosen its name itself") } == [true]
                )
                let byAddress = try await client.preview(Transfer(to: bo, amount: "5"))
                #expect(byAddress.receiver == receiver)
                // Who is named by the caller has not chosen that name.
                let carl = testKey(91).address.checksummed
                _ = try await client.name(carl, "Carl")
                let named = try await client.preview(Transfer(to: "carl", amount: "5"))
                #expect(named.receiver?.account == carl)
                #expect(named.receiver?.isNamedByCaller == true && named.warnings.isEmpty)
                for text in ["nobody", String(bo.prefix(10)), "", "0x"] {
                    let transfer = Transfer(to: text, amount: "5")
                    #expect(await Self.code { try await client.preview(transfer) } == "bad_address")
                    #expect(await Self.code { try await client.send(transfer) } == "bad_address")
                }
            }
        }
    }

    /// - From people: a fee ceiling below the current fee, in a preview → fee_above_limit
    /// - From people: an unknown `feeSpeed` → malformed_value
    @Test func `a faster transaction may cost more, up to its ceiling`() async throws {
        try await MarketNode.run { market in
            let transfer = Transfer(to: market.bo.account.address, amount: "5")
            try await market.asking(market.ana) { client in
                try await client.waitUntilFunded()
                var fees: [Amount] = []
                for speed in FeeChoice.Speed.allCases {
                    let shown = try await client.with(fees: FeeChoice(speed: speed))
                        .preview(transfer)
                    fees.append(try #require(shown.feeMax.flatMap { Amount(decimal: $0) }))
                }
                #expect(fees[0] < fees[1] && fees[1] < fees[2], "\(fees)")
                let low = client.with(fees: FeeChoice(ceiling: "1"))
                #expect(try await low.preview(transfer).problems.map(\.code) == ["fee_above_limit"])
                let ceiling = try #require(fees[2].multiplied(by: 2)).decimal
                let fast = client.with(fees: FeeChoice(speed: .fast, ceiling: ceiling))
                let shown = try await fast.preview(transfer)
                #expect(shown.feeMax == ceiling && shown.problems.isEmpty)
                let key = IdempotencyKey()
                let begun = try await fast.send(transfer, feeMax: shown.feeMax, key: key)
                #expect(begun.feeMax == ceiling)
                let other = await Self.code {
                    try await client.send(transfer, feeMax: shown.feeMax, key: key)
                }
                #expect(other == "idempotency_key_reused")
                #expect(try await client.follow(begun) { _ in }.state == .done)
            }
            let answer = try await market.node.call(
                .POST,
                "wallet/send/preview?feeSpeed=warp",
                body: #"{"to":"bo","amount":"5","currency":"native"}"#,
                token: market.ana.token
            )
            #expect(answer.status == 400 && answer.code == "malformed_value")
        }
    }

    /// - From people: an `after` that no page of the history returned → malformed_value
    @Test func `both sides see a payment in their history once it is final`() async throws {
        try await MarketNode.run { market in
            let (ana, bo) = (market.ana.account.address, market.bo.account.address)
            // From its first look on, an account's history is complete.
            for session in [market.ana, market.bo] {
                try await market.asking(session) { _ = try await $0.history() }
            }
            try await market.asking(market.ana) { client in
                try await client.waitUntilFunded()
                let begun = try await client.send(Transfer(to: bo, amount: "\(Self.ether)"))
                #expect(try await client.follow(begun) { _ in }.state == .done)
                var page = try await client.history()
                while page.items.first?.kind != .sent { page = try await client.history() }
                let sent = try #require(page.items.first)
                #expect(sent.money == Money(amount: "\(Self.ether)", currency: "native"))
                #expect(sent.with == bo && sent.purpose == "send" && !sent.isIncoming)
                #expect(sent.fee.flatMap { Amount(decimal: $0) }.map { !$0.isZero } == true)
                let one = try await client.history(limit: 1)
                #expect(one.items == [sent])
                #expect(
                    await Self.code { try await client.history(after: "x") } == "malformed_value"
                )
            }
            try await market.asking(market.bo) { client in
                var page = try await client.history()
                while page.items.isEmpty { page = try await client.history() }
                let came = try #require(page.items.first)
                #expect(came.kind == .received && came.isIncoming && came.with == ana)
                #expect(came.money.amount == "\(Self.ether)" && came.fee == nil)
                #expect(page.items.count == 1 && page.next == nil)
            }
        }
    }

    @Test func `the history names the sale of a payment`() async throws {
        try await MarketNode.run { market in
            // From its first look on, an account's history is complete.
            try await market.asking(market.ana) { _ = try await $0.history() }
            let sale = try await market.list().sale
            try await market.asking(market.ana) { client in
                var page = try await client.history()
                while page.items.first?.purpose != "list" { page = try await client.history() }
                let deposit = try #require(page.items.first)
                #expect(deposit.sale == sale && deposit.title == MarketNode.bicycle.title)
                #expect(deposit.kind == .sent && !deposit.isIncoming && deposit.fee != nil)
                // That the contract may mint was allowed in a transaction of its own.
                let allowance = try #require(page.items.dropFirst().first)
                #expect(allowance.kind == .fee && allowance.sale == nil)
            }
        }
    }
}
