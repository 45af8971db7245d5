import Client
import Foundation
import Testing

@testable import CLI

/// Payment requests that are paid.
struct PaymentRequestTests {
    private static let account = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
    private static let token = MoneyTextTests.token

    private static func transfer(
        _ to: String,
        _ amount: String...,
        on chain: UInt64? = nil
    ) throws -> Transfer {
        try CurrencyUnits.$current.withValue(MoneyTextTests.units) {
            try WalletSend.transfer(to: to, amount, on: chain)
        }
    }

    @Test(
        arguments: [
            ("0.5", nil), ("12.50", "TST"), ("12.50 TST", nil), ("3 wei", nil), ("7", "TST"),
        ] as [(String, String?)]
    )
    func `a wallet can pay a request that another wallet shows`(
        amount: String,
        currency: String?
    ) throws {
        let request = try CurrencyUnits.$current.withValue(MoneyTextTests.units) {
            try WalletReceive.request(amount, currency, to: Self.account, on: 8_217)
        }
        let words = ([amount] + [currency].compactMap { $0 }).joined(separator: " ")
        var wanted = try Self.transfer(Self.account, words)
        wanted.chain = 8_217
        #expect(try Self.transfer(request.text) == wanted)
        #expect(try Self.transfer(request.text, on: 8_217) == wanted)
        #expect(try Self.transfer(request.text, words) == wanted)
        let shown = try PaymentURI(text: request.text)
        #expect(shown.text == request.text)
    }

    @Test func `the sender's amount completes a request without an amount`() throws {
        let open = "ethereum:\(Self.account)@8217"
        #expect(try Self.transfer(open, "0.5").amount == "500000000000000000")
        let tokens = "ethereum:\(Self.token)@8217/transfer?address=\(Self.account)"
        #expect(try Self.transfer(tokens, "12.50").amount == "1250")
        #expect(try Self.transfer(tokens, "12.50", "TST").currency == Self.token)
        #expect(try Self.transfer(tokens, "MAX").amount == "max")
        for (request, amount) in [(open, "12 TST"), (tokens, "1 KAIA")] {
            #expect(throws: Failure.self) { try Self.transfer(request, amount) }
        }
        let none = #expect(throws: Failure.self) { try Self.transfer(open) }
        #expect(none?.message.contains("names no amount") == true)
    }

    @Test(arguments: [
        ("ETHEREUM:pay-\(account)@8217?value=2.5e18&gas=21000", "2500000000000000000"),
        ("ethereum:\(account)?value=1e3&gasPrice=7", "1000"),
        ("ethereum:\(account)?value=.5E1", "5"),
        ("ethereum:0X\(account.dropFirst(2))@8217?value=007", "7"),
    ])
    func `reads requests written by other programs`(text: String, amount: String) throws {
        let transfer = try Self.transfer(text)
        #expect(transfer.to == Self.account && transfer.amount == amount && transfer.chain == 8_217)
    }

    /// - From commands: a payment request for a chain other than the node's, or other than the
    ///   named one → exit 10
    @Test func `refuses a request on another chain`() throws {
        for (text, chain) in [
            ("ethereum:\(Self.account)@1?value=5", nil),
            ("ethereum:\(Self.account)@8217?value=5", 1),
            ("ethereum:\(Self.token)@1/transfer?address=\(Self.account)&uint256=5", nil),
        ] as [(String, UInt64?)] {
            let failure = #expect(throws: Failure.self) { try Self.transfer(text, on: chain) }
            #expect(failure?.code == .refused && failure?.message.contains("chain 1") == true)
        }
    }

    /// - From commands: a text that is not a payment request, or a request for anything but a
    ///   payment → exit 2
    @Test(arguments: [
        "ethereum:", "ethereum:bob.eth@8217?value=5", "ethereum:0x5aAe@8217?value=5",
        "ethereum:\(account)@x?value=5", "ethereum:\(account)@1@2?value=5",
        "ethereum:\(account)@8217?value=-5", "ethereum:\(account)@8217?value=0.5",
        "ethereum:\(account)@8217?value=1.25e1", "ethereum:\(account)@8217?value=1e99",
        "ethereum:\(account)@8217?value=", "ethereum:\(account)@8217?value=5&value=6",
        "ethereum:\(account)@8217?data=00&value=5", "ethereum:\(account)@8217?uint256=5",
        "ethereum:\(token)@8217/approve?address=\(account)&uint256=5",
        "ethereum:\(token)@8217/transfer?uint256=5",
        "ethereum:\(token)@8217/transfer?address=\(account)&uint256=5&value=1",
        "ethereum:\(token)@8217/transfer/x?address=\(account)&uint256=5",
        "ethereum:0x52908400098527886E0F7030069857D2E4169EE7@8217/transfer?address=\(account)&uint256=5",
    ])
    func `refuses a request for anything but a payment`(text: String) {
        #expect(throws: Failure.self) { try Self.transfer(text) }
    }

    /// - From commands: an amount other than the one that a payment request asks for, or no amount
    ///   if the request names none → exit 2
    @Test func `refuses an amount other than the one requested`() {
        let text = "ethereum:\(Self.account)@8217?value=500000000000000000"
        let failure = #expect(throws: Failure.self) { try Self.transfer(text, "0.6") }
        #expect(failure?.message.contains("0.5 KAIA") == true)
    }
}
