import Ethereum
import Keys
import Market
import Support
import Synchronization
import Testing

/// Transactions that are replaced by faster ones or cancelled.
extension TransactionSenderTests {
    @Test func `a speed-up and a cancellation share the nonce`() async throws {
        try await DevChain.scoped(["--no-automine"]) { dev, transport in
            let client = client(dev, transport)
            let key = testKey(1)
            try await dev.control(
                "dev_fund",
                #"["\#(key.address.checksummed)", "0x8ac7230489e80000"]"#
            )
            try await dev.control("evm_mine")
            let harness = SenderHarness(signer: KeySigner(key), client: client)
            try await harness.run { sender in
                try await sender.submit(payment(1))
                let first = try await sender.until(payment(1).id) { $0 == .sent }
                try await sender.replace(payment(1).id, by: .speedUp)
                let second = await sender.reached(payment(1).id) {
                    $0.phase == .sent && $0.transaction != first.transaction
                }
                try await dev.control("evm_mine")
                let end = try await sender.ended(payment(1).id)
                #expect(end.phase == .final)
                #expect(end.transaction == second?.transaction)

                try await sender.submit(payment(2))
                let third = try await sender.until(payment(2).id) { $0 == .sent }
                try await sender.replace(payment(2).id, by: .cancel)
                _ = await sender.reached(payment(2).id) {
                    $0.phase == .sent && $0.transaction != third.transaction
                }
                try await dev.control("evm_mine")
                #expect(try await sender.ended(payment(2).id).phase == .cancelled)
            }
            #expect(try await client.perform(.balance(of: Self.receiver)).amount == Self.value)
            let nonce = try await client.perform(.transactionCount(of: key.address, at: .latest))
            #expect(nonce.number == 2)
        }
    }

    @Test func `completes a signed cancellation after a restart`() async throws {
        try await DevChain.scoped(["--no-automine"]) { dev, transport in
            let key = testKey(1)
            let funds = #"["\#(key.address.checksummed)", "0x8ac7230489e80000"]"#
            try await dev.control("dev_fund", funds)
            try await dev.control("evm_mine")
            let signer = LockableSigner(key)
            let harness = SenderHarness(signer: signer, client: client(dev, transport))
            let first = try await harness.run { sender in
                try await sender.submit(payment())
                let sent = try await sender.until(payment().id) { $0 == .sent }
                signer.isOpen.withLock { $0 = false }
                // A repeated request writes nothing.
                for _ in 0..<3 { try await sender.replace(payment().id, by: .cancel) }
                return sent.transaction
            }
            #expect(try harness.journal.steps.last == .replacementWanted)
            #expect(try harness.journal.steps.count { $0 == .replacementWanted } == 1)
            signer.isOpen.withLock { $0 = true }
            try await harness.run { sender in
                _ = await sender.reached(payment().id) {
                    $0.phase == .sent && $0.transaction != first
                }
                try await dev.control("evm_mine")
                #expect(try await sender.ended(payment().id).phase == .cancelled)
            }
        }
    }

    /// - From people: another fee for one waiting transaction again and again → refused, since each is
    ///   journalled
    @Test func `changes the fee of a waiting transaction only so often`() async throws {
        try await DevChain.scoped(["--no-automine"]) { dev, transport in
            let key = testKey(1)
            let funds = #"["\#(key.address.checksummed)", "0x8ac7230489e80000"]"#
            try await dev.control("dev_fund", funds)
            try await dev.control("evm_mine")
            let harness = SenderHarness(signer: KeySigner(key), client: client(dev, transport))
            try await harness.run { sender in
                try await sender.submit(payment())
                _ = try await sender.until(payment().id) { $0 == .sent }
                await #expect(throws: IntentError.replacedTooOften) {
                    for fee in (1 << 50)... as PartialRangeFrom<UInt64> {
                        try await sender.raiseFee(of: payment().id, to: Amount(small: fee))
                    }
                }
                await #expect(throws: IntentError.replacedTooOften) {
                    try await sender.replace(payment().id, by: .speedUp)
                }
            }
            let count = try harness.journal.steps.count { $0 == .feeRaised }
            #expect(count == ChainLimits().wishesMax)
        }
    }
}
