import Client
import Foundation
import Support
import Testing

@testable import CLI

/// What `stoa status` shows.
struct StatusTests {
    private static let time = Date(timeIntervalSince1970: 1_800_000_000)

    private static func node(chains: [ChainStatus]) -> NodeStatus {
        NodeStatus(
            version: "1",
            network: "stoa",
            peer: "16U",
            listenAddresses: [],
            peers: 1,
            records: 0,
            chains: chains
        )
    }

    private static func step(_ about: String, until: Date? = nil) -> WaitingStep {
        WaitingStep(
            until: until,
            asOf: time,
            about: about,
            step: "Review it",
            command: "stoa review write 5a --stars 5"
        )
    }

    @Test func `a node without a market says how to join or open one`() {
        let text = StatusText.text(StatusReport(node: Self.node(chains: []), accounts: []))
        #expect(
            text.hasPrefix("node       ready, in no market, one peer\nnext       Join a market:")
        )
        #expect(text.contains("Open a market: stoa chain deploy"))
        #expect(text.hasSuffix("account    none yet: stoa account create NAME"))
    }

    @Test func `names what waits for each account`() {
        let chain = ChainStatus(
            chain: 7,
            health: "stale",
            detail: "No block for an hour.",
            head: 9,
            headTime: nil,
            item: "0x1",
            contracts: []
        )
        let accounts = [
            ("ana", true, [Self.step("Lamp", until: Self.time + 61)]), ("bo", false, []),
        ]
        let report = StatusReport(
            node: Self.node(chains: [chain]),
            accounts: accounts.map { name, isDefault, waiting in
                StatusReport.SignedIn(
                    name: name,
                    address: "0x1",
                    isDefault: isDefault,
                    until: Self.time,
                    waiting: waiting
                )
            }
        )
        #expect(
            StatusText.text(report) == """
                node       chain 7 stale at block 9 (No block for an hour.), one peer
                account    ana (0x1), the default
                           until 2027-01-15 08:01:01Z, 00:01:01 left: Lamp. Review it: stoa review \
                write 5a --stars 5
                account    bo (0x1)
                           Nothing waits for you.
                """
        )
        let nobody = StatusReport(node: Self.node(chains: [chain]), accounts: [])
        #expect(StatusText.text(nobody, others: ["ana"]).hasSuffix("stoa account sign-in ana"))
    }

    @Test func `says what is under way, and until when a proposal can be accepted`() async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        var paid = NextStepTests.sale("paid")
        (paid.seller, paid.buyer) = ("0x2", "0x1")
        paid.own = "buyer"
        paid.status = Sentence("standing.paid", ["until": "2027-01-15T08:00:00Z"])
        var disputed = NextStepTests.sale("disputed", ["agree"])
        (disputed.id, disputed.seller, disputed.buyer) = ("0x0d15b07ed", "0x2", "0x1")
        disputed.asOf = Date(timeIntervalSince1970: 1_799_996_340)
        disputed.own = "buyer"
        disputed.nextSteps = [
            Sale.NextStep(
                words: Sentence("next.agree"),
                until: Date(timeIntervalSince1970: 1_799_999_990),
                share: 4_000
            )
        ]
        var sold = NextStepTests.sale(
            "sold",
            stage: "over",
            isLate: true,
            own: "seller",
            steps: ["send"]
        )
        (sold.id, sold.isToBeSent, sold.seller) = ("0x501d501d0", true, "0x1")
        sold.deliveryAddress = "Bo\nMain Street 1"
        let credit = Sale.Payout(role: "seller", account: "0x1", amount: "1490000000000000000")
        var ended = NextStepTests.sale("complete", stage: "over", payouts: [credit])
        (ended.seller, ended.own) = ("0x1", "seller")
        // A part of what the sale credited has been collected.
        let left = ["200000000000000000", "300000000000000001"].map { amount in
            Wallet.Credit(
                contract: "0xe5",
                kind: "escrow",
                money: Money(amount: amount, currency: "native")
            )
        }
        let wallet = try Self.text(Wallet(account: "0x1", chain: 1, balances: [], credits: left))
        let running = try Self.text([paid, disputed])
        let whole = try Self.text(disputed)
        let answers = [
            "/v1/sales?list=running&byDeadline=true&limit=100":
                #"{"items":\#(running),"isLast":true}"#,
            "/v1/sales?list=to_send&limit=100": try Self.page(sold),
            "/v1/sales?list=to_collect&limit=100": try Self.page(ended),
        ]
        try await ScriptedServer.scoped(
            answer: { request, place in
                if let text = answers[request.uri] { return .json(200, text) }
                if request.uri.hasPrefix("/v1/wallet") { return .json(200, wallet) }
                if request.uri == "/v1/sales/0x0d15b07ed" { return .json(200, whole) }
                return request.uri.hasPrefix("/v1/sales?")
                    ? .json(200, #"{"items":[],"isLast":true}"#) : document.good(request, place)
            }
        ) { node, _ in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            let shown = try stoa.run("status").out
            #expect(shown.contains("Send it to Bo Main Street 1, then say so"), "\(shown)")
            #expect(shown.contains("stoa sale transfer 501d501d"))
            #expect(shown.contains("until 2027-01-15 07:59:50Z, 01:00:50 left: sale 0d15b07e"))
            let waits = "Under way: sale 5a1e5a1e (you are buyer): paid: to be sent by 2027-01-15"
            #expect(shown.contains(waits), "\(shown)")
            #expect(shown.contains("sale 5a1e5a1e, ≈ 0.5 ETH. Collect what it"), "\(shown)")
        }
    }

    @Test func `says who disputes a sale, since when and why`() {
        var sale = NextStepTests.sale("disputed", ["propose"])
        sale.history = [
            Sale.Step(
                move: "dispute",
                by: "0x2",
                at: Self.time,
                transaction: "0x1",
                note: "The vase is\ncracked.",
                pictures: ["0x3"]
            )
        ]
        let names = Names([AccountName(account: "0x2", name: "bo", isHere: false)])
        #expect(
            WaitingSteps.dispute(in: sale, names)
                == "disputed by bo (0x2) since 2027-01-15 08:00:00Z: 'The vase is cracked.' "
                + "(one picture: stoa sale pictures 5a1e5a1e)"
        )
        sale.phase = "settled"
        #expect(WaitingSteps.dispute(in: sale, names) == nil)
    }

    @Test func `unread messages of one person are one step`() async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        let conversations = ["0xaaaaaaaa1", "0xbbbbbbbb2", "0xcccccccc3"].enumerated().map {
            Conversation(
                id: $1,
                with: $0 == 2 ? "0x3" : "0x2",
                listing: nil,
                lastMessage: nil,
                unread: $0 + 1
            )
        }
        let items = try Self.text(conversations)
        try await ScriptedServer.scoped(
            answer: { request, place in
                if request.uri == "/v1/conversations?limit=100" {
                    return .json(200, #"{"items":\#(items),"isLast":true}"#)
                }
                return document.good(request, place)
            }
        ) { node, _ in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            let shown = try stoa.run("status").out
            let both = "3 messages of 0x2 in 2 conversations. Read them: stoa chat list"
            #expect(shown.contains(both), "\(shown)")
            #expect(shown.contains("3 messages of 0x3. Read them: stoa chat show cccccccc"))
        }
    }

    @Test func `stoa alone shows the status, and in a new folder how to begin`() throws {
        let folder = try TemporaryFolder()
        for words in [[], ["status"]] as [[String]] {
            let outcome = try Program(folder: folder.path("none")).run(all: words)
            #expect(outcome.code == 0, "\(outcome.words)")
            #expect(outcome.out.hasPrefix("There is no node in \(folder.path("none")) yet."))
            #expect(outcome.out.contains("stoa init --market FILE"))
        }
    }

    @Test func `asks a node a few times only`() async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        try await ScriptedServer.scoped(answer: document.good) { node, server in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            let outcome = try stoa.run("status", "--node", node.description)
            #expect(outcome.code == 0, "\(outcome.words)")
            #expect(server.requests.count <= 16, "\(server.requests.map(\.uri))")
        }
    }

    @Test func `a new folder warns of the risk once`() throws {
        let folder = try TemporaryFolder()
        let stoa = Program(folder: folder.path("new"))
        let first = try stoa.run("init")
        #expect(first.code == 0 && first.out.contains(InitCommand.warning), "\(first.out)")
        let again = try stoa.run("init")
        #expect(again.code == 0 && !again.out.contains("afford to lose"), "\(again.out)")
    }

    @Test(arguments: [true, false])
    func `asks for no address that the node is sending`(isSending: Bool) async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        let code = isSending ? "sending" : "address"
        var sale = NextStepTests.sale("paid", own: "buyer", steps: [code])
        (sale.seller, sale.buyer) = ("0x2", "0x1")
        if isSending { sale.nextSteps[0].operation = "0x5d21ee07aa" }
        let answers = [
            "/v1/sales?list=running&byDeadline=true&limit=100": try Self.page(sale),
            "/v1/sales/\(sale.id)": try Self.text(sale),
        ]
        try await ScriptedServer.scoped(
            answer: { request, place in
                if let text = answers[request.uri] { return .json(200, text) }
                return request.uri.hasPrefix("/v1/sales?")
                    ? .json(200, #"{"items":[],"isLast":true}"#) : document.good(request, place)
            }
        ) { node, _ in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            for command in [["status"], ["sale", "show", sale.id]] {
                let shown = try stoa.run(all: command)
                #expect(shown.code == 0, "\(shown.words)")
                let isWaiting = shown.out.contains(
                    "sending your address to the seller: stoa operation wait 5d21ee07"
                )
                #expect(isWaiting == isSending, "\(shown.out)")
                #expect(shown.out.contains("stoa sale address") != isSending)
            }
        }
    }

    @Test func `asks for only the earliest deadlines of many sales`() async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        var sale = NextStepTests.sale("paid", ["transfer"], own: "seller", steps: ["send"])
        sale.seller = "0x1"
        let many = try Self.page(sale).replacing(
            #""isLast":true"#,
            with: #""isLast":false,"next":"1""#
        )
        try await ScriptedServer.scoped(
            answer: { request, place in
                guard request.uri.hasPrefix("/v1/sales?") else {
                    return document.good(request, place)
                }
                let isRunning = request.uri.contains("list=running")
                return .json(200, isRunning ? many : #"{"items":[],"isLast":true}"#)
            }
        ) { node, server in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            let shown = try stoa.run("status")
            #expect(
                shown.code == 0 && shown.out.contains("stoa sale transfer 5a1e5a1e"),
                "\(shown)"
            )
            #expect(
                shown.out.contains("More sales run, with later deadlines: stoa sale list running")
            )
            let asked = server.requests.filter { $0.uri.contains("list=running") }.map(\.uri)
            #expect(asked == ["/v1/sales?list=running&byDeadline=true&limit=100"])
        }
    }

    @Test(arguments: [
        ("open", "0x2", "stoa sale accept 0f0f0f0f"), ("accepted", "0x1", "stoa sale buy 0f0f0f0f"),
        ("lapsed", "0x2", "stoa listing reopen 0f0f0f0f"), ("open", "0x1", nil),
        ("accepted", "0x2", nil), ("lapsed", "0x1", nil), ("over", "0x2", nil),
    ])
    func `names the step that an offer waits for`(
        state: String,
        buyer: String,
        command: String?
    ) async throws {
        let shown = try await Self.status(with: Self.offer(state, by: buyer))
        #expect(shown.contains("Lamp, offered at 0.4 ETH") == (command != nil), "\(shown)")
        if let command { #expect(shown.contains(command), "\(shown)") }
    }

    @Test(arguments: ["accepted", "lapsed"])
    func `says that the node lists an item again, and asks for nothing`(
        state: String
    ) async throws {
        var offer = Self.offer(state, by: "0x2")
        offer.ifUnpaid = [Sentence("reopening.due", ["price": "500000000000000000 native 1"])]
        let shown = try await Self.status(with: offer)
        let words = "Under way: Lamp (you are seller): The buyer has not paid in time. This node "
        #expect(shown.contains(words), "\(shown)")
        #expect(!shown.contains("stoa listing reopen"), "\(shown)")
    }

    private static func offer(_ state: String, by buyer: String) -> PriceOffer {
        PriceOffer(
            id: DocumentAnswers.id,
            listing: DocumentAnswers.listing,
            title: "Lamp",
            buyer: buyer,
            price: Money(amount: "400000000000000000", currency: "native"),
            listedPrice: Money(amount: "500000000000000000", currency: "native"),
            chain: 1,
            sentAt: time,
            until: time,
            paymentSeconds: 3_600,
            state: state,
            payUntil: time
        )
    }

    /// The status of an account that has one offer.
    private static func status(with offer: PriceOffer) async throws -> String {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        let answer = "[\(try text(offer))]"
        var out = ""
        try await ScriptedServer.scoped(
            answer: { request, place in
                request.uri == "/v1/offers" ? .json(200, answer) : document.good(request, place)
            }
        ) { node, _ in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            let shown = try stoa.run("status")
            #expect(shown.code == 0, "\(shown.words)")
            out = shown.out
        }
        return out
    }

    @Test(
        arguments: [
            (1, nil, "A report by 0x2"), (2, nil, "2 reports"), (1, "Thank you.", nil),
        ] as [(Int, String?, String?)]
    )
    func `names the reports that wait for an answer`(
        count: Int,
        answer: String?,
        words: String?
    ) async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        let reports = (0..<count).map { number in
            Report(
                id: "\(number)",
                conversation: DocumentAnswers.id,
                sender: "0x2",
                text: "A copy.",
                sentAt: Self.time,
                state: "received",
                answer: answer
            )
        }
        let page = try Self.text(Page(items: reports, next: nil))
        try await ScriptedServer.scoped(
            answer: { request, place in
                request.uri.hasPrefix("/v1/reports")
                    ? .json(200, page) : document.good(request, place)
            }
        ) { node, _ in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            let shown = try stoa.run("status")
            #expect(shown.code == 0, "\(shown.words)")
            #expect(shown.out.contains("stoa report list") == (words != nil), "\(shown.out)")
            if let words { #expect(shown.out.contains(words), "\(shown.out)") }
        }
    }

    private static func page(_ value: some Encodable) throws -> String {
        #"{"items":[\#(try text(value))],"isLast":true}"#
    }

    private static func text(_ value: some Encodable) throws -> String {
        String(decoding: try WireCoding.encoder().encode(value), as: UTF8.self)
    }
}
