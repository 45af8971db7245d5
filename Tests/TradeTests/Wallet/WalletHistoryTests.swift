import Ethereum
import Foundation
import Keys
import Market
import Support
import Testing

@testable import Trade

/// What of a block's transactions becomes a movement of an account's money.
struct WalletHistoryTests {
    private static let ana = testKey(1).address
    private static let bo = testKey(2).address

    private static func state(_ balance: UInt64, _ nonce: UInt64 = 0) -> NativeState {
        NativeState(balance: Amount(small: balance), nonce: Amount(small: nonce))
    }

    private static func hash(_ number: UInt8) -> Bytes32 { Keccak256.hash([number]) }

    private static func block(_ transfers: [(UInt8, Address, Address?, UInt64)]) -> BlockTransfers {
        let fields = transfers.map { number, from, to, value in
            let receiver = to.map { "\"0x\(Hex.encode($0.bytes))\"" } ?? "null"
            return """
                {"hash":"\(hash(number).hex)","from":"0x\(Hex.encode(from.bytes))",
                "to":\(receiver),"value":"0x\(String(value, radix: 16))"}
                """
        }
        let text = """
            {"number":"0x7","hash":"\(hash(100).hex)","parentHash":"\(hash(99).hex)",
            "timestamp":"0x64","transactions":[\(fields.joined(separator: ","))]}
            """
        do {
            return try JSONDecoder().decode(BlockTransfers.self, from: Data(text.utf8))
        } catch {
            preconditionFailure("\(error)")
        }
    }

    private static func receipt(_ number: UInt8, isSuccess: Bool = true) -> (Bytes32, Receipt) {
        let receipt = Receipt(
            transaction: hash(number),
            block: BlockID(number: 7, hash: hash(100)),
            isSuccess: isSuccess,
            gasUsed: 10,
            gasPrice: Amount(small: 2)
        )
        return (hash(number), receipt)
    }

    private static func movements(
        _ transfers: [(UInt8, Address, Address?, UInt64)],
        _ before: UInt64,
        _ after: UInt64,
        failed: Set<UInt8> = []
    ) -> [MoneyMovement] {
        let receipts = transfers.map { receipt($0.0, isSuccess: !failed.contains($0.0)) }
        return BlockMovements(
            account: ana,
            block: block(transfers),
            before: state(before),
            after: state(after),
            receipts: Dictionary(uniqueKeysWithValues: receipts),
            purposes: [hash(1): "buy"]
        ).movements
    }

    private static func texts(_ movements: [MoneyMovement]) -> [String] {
        movements.map { movement in
            let sign = movement.isIncoming ? "+" : "-"
            let fee = movement.fee.map { " fee \($0)" } ?? ""
            return "\(movement.kind) \(sign)\(movement.amount)\(fee)"
        }
    }

    @Test func `amounts sent and received add up to the balance`() {
        let found = Self.movements(
            [(1, Self.ana, Self.bo, 300), (2, Self.bo, Self.ana, 50), (3, Self.bo, Self.bo, 9)],
            1_000,
            730
        )
        #expect(Self.texts(found) == ["sent -300 fee 20", "received +50"])
        #expect(found[0].purpose == "buy" && found[0].other == Self.bo)
        #expect(found[1].other == Self.bo && found[1].time.seconds == 100)
    }

    @Test
    func `a failed transaction costs only its fee`() {
        let found = Self.movements(
            [(1, Self.ana, Self.bo, 300), (2, Self.bo, Self.ana, 50)],
            1_000,
            980,
            failed: [1, 2]
        )
        #expect(Self.texts(found) == ["fee -20"])
    }

    @Test func `a payment to oneself costs only the fee`() {
        #expect(
            Self.texts(Self.movements([(1, Self.ana, Self.ana, 300)], 1_000, 980)) == ["fee -20"]
        )
    }

    @Test func `shows an unexplained difference as a change of the balance`() {
        let paid = Self.movements([(1, Self.ana, Self.bo, 0)], 1_000, 1_480)
        #expect(Self.texts(paid) == ["fee -20", "changed +500"])
        #expect(paid[1].purpose == "buy" && paid[1].transaction == Self.hash(1))
        #expect(Self.texts(Self.movements([], 1_000, 1_005)) == ["changed +5"])
        #expect(Self.texts(Self.movements([], 1_000, 990)) == ["changed -10"])
    }

    @Test func `reads back a stored movement unchanged`() throws {
        for movement in Self.movements([(1, Self.ana, Self.bo, 300)], 1_000, 1_480) {
            #expect(try MoneyMovement(storedBytes: movement.storedBytes) == movement)
        }
    }

    /// States of an account over the blocks, as a chain would have them, against a search through
    /// all of them.
    @Test(arguments: 0..<64 as Range<UInt64>)
    func `bisection finds every block with a change, the earliest first`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let count = UInt64.random(in: 1...200, using: &random)
        var states = [Self.state(1_000_000)]
        for block in 1...count {
            let last = states[states.count - 1]
            let changes = UInt64.random(in: 0..<20, using: &random) == 0
            guard changes else {
                states.append(last)
                continue
            }
            // An own transaction can leave the balance as it was, but not the number.
            let gain = UInt64.random(in: 0...3, using: &random)
            let isOwn = gain == 0 || Bool.random(using: &random)
            let balance = last.balance.adding(Amount(small: gain)) ?? .max
            let nonce = isOwn ? last.nonce.adding(Amount(small: 1)) ?? .max : last.nonce
            states.append(NativeState(balance: balance, nonce: nonce))
            #expect(states[Int(block)] != last)
        }
        let changed = (1...count).filter { states[Int($0)] != states[Int($0) - 1] }
        let most = Int.random(in: 1...5, using: &random)
        var (found, place): ([UInt64], UInt64) = ([], 0)
        while place < count {
            var search = ChangedBlocks(
                after: (place, states[Int(place)]),
                upTo: (count, states[Int(count)]),
                changesMax: most
            )
            while let wanted = search.wanted { search.take(states[Int(wanted)]) }
            #expect(search.changes.count <= most)
            for change in search.changes {
                #expect(change.before == states[Int(change.block) - 1])
                #expect(change.after == states[Int(change.block)])
            }
            found += search.changes.map(\.block)
            let end = search.end(of: count)
            #expect(end > place)
            guard end > place else { break }
            place = end
        }
        #expect(found == changed)
    }
}
