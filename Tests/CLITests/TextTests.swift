import ArgumentParser
import Client
import Foundation
import Testing

@testable import CLI

struct TextTests {
    @Test(arguments: [
        ("0.5", "500000000000000000"), ("1", "1000000000000000000"), ("0", "0"),
        ("0.000000000000000001", "1"), ("20 wei", "20"), ("2.5 ETH", "2500000000000000000"),
        ("007 wei", "7"), ("100 gwei", "100000000000"), ("0.5gwei", "500000000"),
        ("2eth", "2000000000000000000"),
    ])
    func `reads amounts in ether or wei`(text: String, wei: String) throws {
        #expect(try MoneyText.wei(text) == wei)
    }

    /// - From commands: an invalid amount → exit 2
    @Test(arguments: [
        "", "-1", "1,5", ".5", "1.", "0.0000000000000000001", "1 pwei", "1 2", "1.5 wei", "1 2 ETH",
        "٣",
        "1e3", "0x10",
    ])
    func `refuses text that is not an amount`(text: String) {
        #expect(throws: Failure.self) { try MoneyText.wei(text) }
    }

    /// - From commands: an amount with a point in a token of unknown decimals → exit 2
    @Test func `reads a token amount in smallest units if the decimals are unknown`() throws {
        let token = CurrencyUnit(
            chain: 8217,
            currency: "0x11",
            name: nil,
            symbol: nil,
            decimals: nil
        )
        func units(_ text: String) throws -> String {
            try CurrencyUnits.$current.withValue(CurrencyUnits([token])) {
                try MoneyText.units(text, of: "0x11")
            }
        }
        #expect(try units("20") == "20")
        for text in ["-1", "", "5 wei", "1e3"] {
            let error = #expect(throws: Failure.self) { try units(text) }
            let words =
                "'\(text)' is not an amount of the token 0x11. Write it in its smallest unit"
            #expect(error?.message.contains(words) == true)
        }
        #expect(throws: Failure.self) { try units("0.5") }
        let most = String(repeating: "9", count: 61)
        let error = #expect(throws: Failure.self) { try MoneyText.wei(most) }
        #expect(error?.message.contains("more ETH than exists") == true)
    }

    /// - From peers: texts with control characters or false line breaks → shown without effect,
    ///   further
    ///   lines indented
    @Test func `strangers' text can neither control the screen nor fake a line`() {
        let evil = "hi\u{1B}[2J\u{9B}1m\u{202E}\u{7}\r\nbo  Yes, I agree."
        let safe = DisplayText.safe(evil)
        #expect(!safe.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
        #expect(
            !safe.unicodeScalars.contains("\u{9B}") && !safe.unicodeScalars.contains("\u{202E}")
        )
        #expect(DisplayText.setIn("a\nb\r\nc") == "a\n    b\n    c")
        #expect(DisplayText.line("a\nb\u{2028}c") == "a b c")
        #expect(DisplayText.safe("Zoë 💥 日本\n") == "Zoë 💥 日本\n")
        #expect(DisplayText.safe("👩‍👧 ❤️ می‌خواهم") == "👩‍👧 ❤️ می‌خواهم")
        for hidden in ["\u{61C}", "\u{200B}", "\u{2028}", "\u{2029}", "\u{2060}", "\u{FEFF}"] {
            #expect(DisplayText.safe("a\(hidden)b") == "a\u{FFFD}b")
        }
        #expect(DisplayText.safe("a\u{2800}b") == "a b")
        var table = TextTable("a")
        table.add("x\ny")
        #expect(table.text(orElse: "") == "a\nx y")
    }

    /// - From peers: texts with control characters, direction marks, invisible characters, in
    ///   `--json` → written as \uXXXX; the value is the same
    @Test func `JSON escapes control characters and keeps the value`() throws {
        let ranges: [ClosedRange<UInt32>] = [
            0x00...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x61C...0x61C, 0x180E...0x180E, 0x200B...0x200F,
            0x2028...0x202E, 0x2060...0x206F, 0xFEFF...0xFEFF, 0xE0001...0xE0001,
            0xE0020...0xE007F,
        ]
        for scalar in ranges.flatMap({ $0 }).compactMap(Unicode.Scalar.init) {
            let text = "a\"\\\(scalar)b"
            let json = try Output.json([text: text])
            #expect(!json.unicodeScalars.contains(scalar), "\(scalar.value)")
            let read = try JSONDecoder().decode([String: String].self, from: Data(json.utf8))
            let entry = try #require(read.first)
            #expect(Array(entry.key.unicodeScalars) == Array(text.unicodeScalars))
            #expect(Array(entry.value.unicodeScalars) == Array(text.unicodeScalars))
            #expect(!ExitReport(.failed, text).json.unicodeScalars.contains(scalar))
        }
        #expect(try Output.json(["Zoë ❤️ 日本"]) == #"["Zoë ❤️ 日本"]"#)
    }

    @Test(arguments: [
        ("500000000000000000", "0.5 ETH"), ("1", "0.000000000000000001 ETH"), ("0", "0 ETH"),
        ("12000000000000000000", "12 ETH"),
    ])
    func `writes wei as ether`(wei: String, text: String) {
        #expect(MoneyText.text(wei, "native") == text)
    }

    @Test func `aligns columns`() {
        var table = TextTable("a", "b")
        table.add("long", "x")
        table.add("s", "y")
        #expect(table.text(orElse: "none") == "a     b\nlong  x\ns     y")
        #expect(TextTable("a").text(orElse: "none") == "none")
    }

    @Test func `a wallet's history names sales and shows a fee as a fee`() {
        let money = Money(amount: "500000000000000000", currency: "native")
        var movement = WalletMovement(
            chain: 1,
            kind: .sent,
            isIncoming: false,
            money: money,
            purpose: "buy",
            fee: "1000000000000000",
            sale: "0x5a0123456789",
            title: "Lamp",
            block: 1,
            at: Date(timeIntervalSince1970: 0)
        )
        func row(_ movement: WalletMovement) -> String {
            let text = WalletHistory.text(Page(items: [movement], next: nil), .none)
            return String(text.split(separator: "\n")[1])
        }
        let whole = row(movement)
        #expect(
            whole.hasPrefix("1970-01-01 00:00:00Z  buy   Lamp   -0.5 ETH  0.001 ETH"),
            "\(whole)"
        )
        movement.title = nil
        #expect(row(movement).contains("buy   sale 5a012345  -0.5 ETH"), "\(row(movement))")
        (movement.kind, movement.money, movement.fee) = (.fee, money, nil)
        #expect(row(movement).contains("sale 5a012345          0.5 ETH"), "\(row(movement))")
    }

    @Test func `an operation shows how long it has taken`() {
        var operation = Client.Operation(
            id: "1",
            kind: .buy,
            state: .running,
            account: "0x1",
            subject: nil,
            phases: [
                .init(name: .mined, state: .done, endedAt: Date(timeIntervalSince1970: 12.4)),
                .init(name: .confirmed, state: .running),
            ],
            problem: nil,
            createdAt: Date(timeIntervalSince1970: 0)
        )
        let running = OperationText.full(operation, at: Date(timeIntervalSince1970: 20))
        #expect(running.contains("\nrunning    for 20 seconds\n"), "\(running)")
        #expect(running.contains("done, after 12 seconds\n"), "\(running)")
        (operation.state, operation.endedAt) = (.done, Date(timeIntervalSince1970: 35))
        let done = OperationText.full(operation, at: Date(timeIntervalSince1970: 60))
        #expect(done.contains("\ntook       35 seconds\n"), "\(done)")
        let rows = OperationText.page(Page(items: [operation], next: nil))
        #expect(rows.contains("1970-01-01 00:00:00Z  35 seconds  "), "\(rows)")
    }

    @Test func `a node's status warns of a wrong clock`() {
        func status(_ warnings: [Sentence]) -> String {
            NodeText.status(
                NodeStatus(
                    version: "1",
                    network: "local",
                    peer: "peer",
                    listenAddresses: [],
                    peers: 0,
                    records: 0,
                    chains: [],
                    clock: NodeClock(chainAheadSeconds: 300, warnings: warnings)
                )
            )
        }
        let text = "\nclock     Set it, for instance by NTP."
        #expect(status([Sentence("clock.set")]).contains(text))
        #expect(!status([]).contains("clock"))
    }

    @Test func `a wallet shows locked amounts by sale and the source of each credit`() {
        let money = Money(amount: "1000000000000000000", currency: "native")
        let part = Wallet.Part(sale: "0x5a", amount: "500000000000000000")
        let wallet = Wallet(
            account: "0x1",
            chain: 1,
            balances: [money],
            credits: [
                Wallet.Credit(contract: "0xe5", kind: "auction", money: money, sales: [part, part])
            ],
            locked: [Wallet.Locked(sale: "0x5b", kind: "escrow", phase: "paid", money: money)]
        )
        let lines = WalletCommand.Balance.text(wallet).split(separator: "\n").map(String.init)
        #expect(lines.contains("locked   1 ETH, in the escrow sale 0x5b (paid)"))
        #expect(lines.contains("credit   1 ETH, held by the auction contract 0xe5"))
        #expect(lines.count { $0 == "         0.5 ETH of it by sale 0x5a" } == 2)
    }

    @Test(arguments: [("sent", 1, "sent, held by 1 home"), ("sent", 2, "sent, held by 2 homes")])
    func `a message says how many homes hold it`(state: String, heldBy: Int, text: String) {
        #expect(ChatText.state(of: message("1", state: state, heldBy: heldBy)) == text)
    }

    @Test func `says that an unknown kind of message needs a newer version`() {
        var unknown = message("1", state: "received")
        (unknown.kind, unknown.text) = ("unknown", "")
        let hint = "(needs a newer version of Stoa)"
        #expect(ChatText.line(unknown).hasSuffix("  \(hint)  [received]"))
        var note = unknown
        (note.kind, note.text, note.pictures) = ("note", "Torn.", 2)
        let shown = "with 2 pictures ('stoa sale pictures'): Torn.  [received]"
        #expect(ChatText.line(note).hasSuffix(shown))
        let conversation = Conversation(
            id: "0x1",
            with: "0x1",
            listing: nil,
            lastMessage: unknown,
            unread: 1
        )
        #expect(ChatText.page(Page(items: [conversation], next: nil)).contains(hint))
        #expect(
            ChatText.state(of: message("1", state: "not_understood"))
                == "delivered, the other side needs a newer version of Stoa"
        )
    }

    @Test func `a conversation with more messages says how to see them`() {
        let talk = [message("1"), message("2")]
        let lines = talk.map { ChatText.line($0) }.joined(separator: "\n")
        #expect(ChatText.talk(talk, limit: 3) == lines)
        #expect(ChatText.talk(talk, limit: 2) == "Earlier: --before 1\n" + lines)
        #expect(ChatText.talk([], limit: 2) == "No messages.")
    }

    @Test func `a page of sales ends with the command for the next page`() {
        var sale = Sale(
            id: "0x0f",
            kind: "escrow",
            chain: 1,
            contract: "0x1",
            listing: nil,
            promised: Sale.Commitment(title: "Bicycle", description: "Red.", identifier: "1"),
            phase: "paid",
            status: Sentence("standing.paid", ["until": "2027-01-31T18:00:00Z"]),
            stage: "running",
            seller: "0x2",
            buyer: "0x3",
            item: "1",
            price: Money(amount: "500000000000000000", currency: "native"),
            payouts: nil,
            actions: [SaleAction(move: "transfer", until: nil, consequence: [])],
            deadline: Sale.Deadline(at: Date(timeIntervalSince1970: 1), consequence: []),
            confirmations: 1,
            confirmationsNeeded: 3,
            own: "seller",
            nextSteps: [Sale.NextStep(words: Sentence("next.send"))]
        )
        sale.title = "Bicycle"
        let rows = """
            title    state                                                        price    you are  next                sale
            Bicycle  paid: to be sent by 2027-01-31 18:00:00Z (1 of 3 confirmed)  0.5 ETH  seller   sale transfer 0x0f  0x0f
            """
        #expect(SaleText.page(Page(items: [sale], next: nil)) == rows)
        let more = SaleText.page(Page(items: [sale], next: "1-0-f"))
        #expect(more == rows + "\nMore: --after 1-0-f")
        var counted = Page(items: [sale], next: "1-0-f")
        for (count, isLowerBound, text) in [
            (7, false, "7"), (1_234, false, "1,234"), (10_000, true, "10,000+"),
        ] {
            (counted.total, counted.totalIsLowerBound) = (count, isLowerBound)
            let words = rows + "\nFound: \(text)\nMore: --after 1-0-f"
            #expect(SaleText.page(counted) == words)
        }
        #expect(SaleText.page(Page(items: [], next: nil)) == "No sales.")
        sale.title = nil
        #expect(SaleText.page(Page(items: [sale], next: nil)).contains("(its listing is not here)"))
        let next = "\nMore: --after 1"
        #expect(OperationText.page(Page(items: [], next: "1")) == "No operations." + next)
        #expect(ChatText.page(Page(items: [], next: "1")) == "No conversations." + next)
    }

    @Test func `shows an expired registration as ended`() {
        let terms = [Arbitration(feeMin: "10000000000000000", until: 1_800_000_000)]
        let now = Date(timeIntervalSince1970: 1_799_999_999)
        let current = ArbiterCommand.Show.text(terms, at: now)
        #expect(
            current.hasPrefix("for 0.01 ETH or more a dispute, in offers that end by 2027-01-15")
        )
        let ended = ArbiterCommand.Show.text(terms, at: now + 1)
        #expect(ended.hasPrefix("ended 2027-01-15 08:00:00Z: "))
    }

    @Test func `marks a conversation as read only once its end was shown`() throws {
        let news = [message("x-10", state: "received"), message("x-9", state: "read")]
        func last(_ arguments: String..., in messages: [Message]) throws -> String? {
            try ChatCommand.Show.parse(arguments).lastRead(in: messages)?.id
        }
        // It names the one that arrived last, which need not stand last.
        #expect(try last("0x1", in: news) == "x-10")
        var later = news
        later[1].arrivedAt += 1
        #expect(try last("0x1", in: later) == "x-9")
        #expect(try last("0x1", in: [message("x-1", state: "read")]) == nil)
        #expect(try last("0x1", "--before", "3", in: news) == nil)
        #expect(try last("0x1", "--keep-unread", in: news) == nil)
    }

    @Test func `a message that arrived late shows its arrival time`() {
        var late = message("1", state: "received")
        late.arrivedAt += 59
        #expect(ChatText.state(of: late) == "received")
        late.arrivedAt += 1
        #expect(ChatText.state(of: late) == "received, arrived 1970-01-01 00:01:00Z")
    }

    private func message(_ id: String, state: String = "sent", heldBy: Int = 1) -> Message {
        Message(
            id: id,
            conversation: "1",
            sender: "0x1",
            text: "Hello",
            sentAt: Date(timeIntervalSince1970: 0),
            arrivedAt: Date(timeIntervalSince1970: 0),
            state: state,
            heldBy: heldBy
        )
    }
}
