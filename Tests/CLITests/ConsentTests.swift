import ArgumentParser
import Client
import Foundation
import Support
import Testing

@testable import CLI

/// Every command that has the account's key sign something, and what counts as consent to it.
///
/// The commands are the program's own list, and what signs is what a node is asked: any call that
/// changes something but those named here. A new command that signs unasked fails this.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ConsentTests {
    /// What changes something without a signature that anybody is asked for: accounts and sessions,
    /// the node's peers, and chat.
    private static let free = [
        "accounts", "sessions", "peers", "conversations", "blocked", "reports", "subscriptions",
        "favourites", "cart", "address", "searches", "drafts", "works", "profile",
        "contacts", "media",
    ]
    /// Sealed mail about a listing or sale.
    private static let freeEnds = ["/exceptions", "/address"]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// - From commands: a signing command without a typed yes or `--yes` → exit 2
    @Test func `a command signs with --yes, and never with a piped yes`() async throws {
        try await withNode { stoa, server in
            let commands = try Self.commands()
            #expect(commands.count > 100)
            var signing: [String] = []
            for (name, command, arguments) in commands {
                // Every command is tried: one that signs unasked is found here.
                let unasked = Self.signatures(server).count
                let piped = try stoa.run(all: arguments, input: "yes\n")
                let signed = Self.signatures(server).dropFirst(unasked)
                #expect(signed.isEmpty, "\(name): \(signed)")

                guard command.takes("yes") else { continue }
                _ = try stoa.run(all: arguments + ["--yes"])
                let agreed = Self.signatures(server).count
                guard agreed > unasked else { continue }
                signing.append(name)
                let refused = [
                    piped, try stoa.run(all: arguments, input: "n\n"),
                    try stoa.run(all: arguments + ["--json"]),
                ]
                #expect(Self.signatures(server).count == agreed, "\(name)")
                for end in refused {
                    #expect(end.code == 2, "\(name): \(end.words)")
                    #expect(end.words.contains("Nothing was signed"), "\(name)")
                }
            }
            #expect(
                Set(signing).isSuperset(of: [
                    "stoa listing create", "stoa listing withdraw", "stoa sale buy",
                    "stoa wallet collect", "stoa wallet send", "stoa wallet acknowledge",
                    "stoa arbiter register",
                    "stoa arbiter resign",
                    "stoa review write", "stoa operation speed-up", "stoa operation cancel",
                    "stoa home add", "stoa home remove",
                ])
            )
            // All but `sale bid`: the sample listing is no auction.
            #expect(signing.filter { $0.hasPrefix("stoa sale ") }.count == 17)
        }
    }

    /// - From commands: `--yes` and `--dry-run` at once → exit 2
    @Test func `a dry run shows the costs and signs nothing`() async throws {
        try await withNode { stoa, server in
            let commands = try CommandTree.whole.get().all().filter { $0.command.takes("speed") }
            #expect(commands.count > 20)
            for (name, command) in commands where !name.hasSuffix(" bid") {
                let words = Self.arguments(of: name, command)
                let before = Self.signatures(server).count
                // What the sample listing is not sold by is refused before its costs are shown.
                let end = try stoa.run(all: words + ["--dry-run"])
                #expect(Self.signatures(server).count == before, "\(name)")
                #expect(end.code == 0 || name.hasSuffix(" enrol"), "\(name): \(end.words)")
                #expect(end.out.contains("0.5 ETH") || end.code != 0, "\(name): \(end.out)")
            }
            let json = try stoa.run("sale", "dispute", "1", "--dry-run", "--json")
            #expect(json.code == 0 && json.out.contains(#""feeMax":"500000000000000000""#))
            let both = try stoa.run("sale", "dispute", "1", "--dry-run", "--yes")
            #expect(both.code == 2 && both.words.contains("Give --yes or --dry-run, not both."))
        }
    }

    /// - From commands: `home add` without another node's address, `home remove` of something that
    ///   is not a home or matches several, also with `--dry-run` → exit 2, 10, 9
    @Test func `a dry run of a home change fails if the change itself would`() async throws {
        try await withNode { stoa, server in
            let here = "/ip4/192.0.2.1/tcp/4001"
            for (arguments, code, words) in [
                (["add", "1"], 2, "Give another node's address"),
                (["add", here], 2, "Give another node's address"),
                (["remove", "x"], 10, "This account has no home 'x'."),
                (
                    ["add", here + "/p2p/" + SampleAnswers.ownPeer], 2,
                    "Give another node's address"
                ),
                (["remove", here + "/p2p/16Uiu2HAm"], 10, "has no home"),
                (["remove", "16Uiu2HA"], 2, "homes' ids begin with '16Uiu2HA': 16Uiu2HAk"),
                (["remove", "16Uiu2HAk"], 9, "it cannot be removed as a home"),
            ] as [([String], Int32, String)] {
                let refused = try stoa.run(all: ["home"] + arguments + ["--dry-run"])
                #expect(refused.code == code && refused.words.contains(words), "\(refused.words)")
            }
            for (name, arguments) in Self.homes {
                let words = name.split(separator: " ").dropFirst().map(String.init)
                let end = try stoa.run(all: words + arguments + ["--dry-run"])
                #expect(end.code == 0 && end.out.contains("Nothing was signed"), "\(end.words)")
                let json = try stoa.run(all: words + arguments + ["--dry-run", "--json"])
                #expect(json.code == 0 && json.out.hasPrefix(#"{"summary":"Your profile"#))
            }
            #expect(Self.signatures(server).isEmpty)
        }
    }

    @Test func `sends a chosen speed and ceiling with the preview and the call`() async throws {
        try await withNode { stoa, server in
            let before = server.requests.count
            _ = try stoa.run(
                "sale",
                "dispute",
                "1",
                "--speed",
                "fast",
                "--fee-max",
                "2",
                "--yes"
            )
            let calls = server.requests.dropFirst(before).filter { $0.method == "POST" }
            #expect(calls.count == 2)
            #expect(calls.first?.uri.hasSuffix("?feeMax=2000000000000000000&feeSpeed=fast") == true)
            // The node's preview says what the ceiling allows.
            #expect(calls.last?.uri.hasSuffix("?feeMax=500000000000000000&feeSpeed=fast") == true)
        }
    }

    /// - From commands: sending money or a token with `--yes` to a name that the receiver has chosen
    ///   itself → exit 2
    @Test func `a name that its account has chosen gets nothing without a question`() throws {
        let yes = try ConsentOptions.parse(["--yes"])
        let address = DocumentAnswers.account
        func preview(isHere: Bool = false, isNamed: Bool = false) -> ActionPreview {
            let receiver = ActionPreview.Receiver(
                account: address,
                name: "grandma",
                isHere: isHere,
                isNamedByCaller: isNamed
            )
            return ActionPreview(action: "send", summary: [], receiver: receiver)
        }
        let refused = #expect(throws: Failure.self) {
            try yes.requireNamed(preview(), typed: "grandma")
        }
        #expect(refused?.code == .usage)
        #expect(refused?.message.contains("stoa contact name \(address)") == true)
        try yes.requireNamed(preview(), typed: address)
        try yes.requireNamed(preview(isHere: true), typed: "grandma")
        try yes.requireNamed(preview(isNamed: true), typed: "grandma")
        // At a terminal the warning comes before the question.
        try ConsentOptions.parse([]).requireNamed(preview(), typed: "grandma")
    }

    /// - From commands: `n` or no answer on a terminal, also with `--json` → exit 2
    @Test func `only a typed yes signs at a terminal`() async throws {
        try await withNode { stoa, server in
            for (text, signs) in [("n\n", false), ("\n", false), ("yes\n", true), ("y\n", true)] {
                for more in [[], ["--json"]] {
                    let before = Self.signatures(server).count
                    let end = try stoa.run(
                        typing: text,
                        ["sale", "dispute", "1", "--reason", "Broken."] + more
                    )
                    #expect(Self.signatures(server).count == before + (signs ? 1 : 0), "\(text)")
                    #expect(signs || end.code == 2, "\(end.words)")
                    #expect(end.words.contains("[y/N]") && !end.out.contains("[y/N]"))
                }
            }
        }
    }

    @Test(arguments: [false, true])
    func `accepts a single endpoint's word only after a preview with a warning`(
        restsOnOneSource: Bool
    ) async throws {
        try await withNode(try SampleAnswers(restsOnOneSource: restsOnOneSource)) { stoa, server in
            for arguments in [
                ["sale", "buy", DocumentAnswers.id], ["sale", "dispute", "1"],
                ["listing", "withdraw", "1"],
            ] {
                let before = server.requests.count
                let refused = try stoa.run(all: arguments)
                #expect(refused.out.contains("warning") == restsOnOneSource)
                let end = try stoa.run(all: arguments + ["--yes"])
                #expect(end.out.contains("warning") == restsOnOneSource)
                let accepting = server.requests.dropFirst(before).filter {
                    $0.body.contains("acceptsOneSource")
                        || $0.uri.contains("acceptsOneSource=true")
                }
                #expect(accepting.count == (restsOnOneSource ? 1 : 0), "\(accepting)")
                #expect(accepting.allSatisfy { !$0.uri.hasSuffix("/preview") })
            }
        }
    }

    @Test func `agrees to no fee that the preview did not show`() async throws {
        try await withNode(try SampleAnswers(costsFee: false)) { stoa, server in
            for arguments in [
                ["operation", "cancel", "1"], ["operation", "speed-up", "1"],
                ["listing", "withdraw", "1"], ["sale", "dispute", "1"],
            ] {
                let before = server.requests.count
                _ = try stoa.run(all: arguments + ["--yes"])
                let calls = server.requests.dropFirst(before).filter {
                    $0.method != "GET" && !$0.uri.hasSuffix("/preview")
                }
                #expect(calls.count == 1 && calls.allSatisfy { $0.uri.contains("feeMax=0") })
            }
        }
    }

    @Test func `a proposal stays open until the time shown`() async throws {
        let end = Date(timeIntervalSince1970: 1_900_000_000)
        try await withNode(try SampleAnswers(deadline: end)) { stoa, server in
            _ = try stoa.run("sale", "propose", "1", "--share", "40%", "--for", "7d", "--yes")
            let asked = try #require(server.requests.last { $0.uri.hasSuffix("/preview") })
            #expect(!asked.body.contains(":1900000000") && asked.body.contains(#""until":"#))
            let call = try #require(server.requests.last { $0.method != "GET" })
            #expect(call.uri.hasPrefix("/v1/sales/0x5a1e/moves"))
            #expect(call.body.contains(#""until":1900000000"#), "\(call.body)")
            _ = try stoa.run("sale", "agree", "1", "--share", "40%", "--yes")
            let agreed = try #require(server.requests.last { $0.method != "GET" })
            #expect(agreed.body.contains(#""move":"agree""#) && !agreed.body.contains("until"))
            #expect(agreed.body.contains(#""share":4000"#), "\(agreed.body)")
        }
    }

    @Test func `a signature with a key from a file also needs --yes`() throws {
        for (name, command) in try CommandTree.whole.get().all() where command.takes("key-file") {
            #expect(command.takes("yes"), "\(name)")
        }
    }

    /// The commands that wait for what comes and would not end.
    private static let endless: Set = ["stoa chat watch", "stoa sale watch", "stoa events"]

    /// Every command that asks a node, with all it needs, but those that would not end.
    private static func commands() throws -> [(String, CommandTree, [String])] {
        try CommandTree.whole.get().all()
            .filter {
                $0.command.isLeaf && $0.command.takes("as") && !endless.contains($0.name)
            }
            .map { ($0.name, $0.command, arguments(of: $0.name, $0.command)) }
    }

    private static let homes = [
        "stoa home add":
            ["/ip4/192.0.2.1/tcp/4001/p2p/16Uiu2HAkvqcszgYSKmM4ZKYYWHRUKiKTKKsgxv3UmpPFdnZNf7Zw"],
        "stoa home remove": ["16Uiu2HA0"],
    ]

    private static let round = ["--seats", "9", "--starts", "2027-05-01", "--ends", "2027-05-15"]

    /// A command with all it needs; what is no draft needs more.
    private static func arguments(of name: String, _ command: CommandTree) -> [String] {
        let words = name.split(separator: " ").dropFirst().map(String.init)
        if name.hasPrefix("stoa home ") { return words + homes[name, default: []] }
        // The sample offer's id.
        if name == "stoa sale accept" { return words + [DocumentAnswers.id] }
        if name == "stoa sale buy" { return words + [DocumentAnswers.id] }
        let more: [String] =
            switch name {
            case "stoa listing create":
                [
                    "Lamp", "--category", "home", "--identifier", "lamp 7", "--price", "1",
                    "--description",
                    "Red.",
                    "--tag", "lamp",
                ]
            // These ask on a terminal for what they lack.
            case "stoa course create": ["Knots", "--price", "1", "--description", "Ten."] + round
            case "stoa course repeat": round
            case "stoa course evaluate":
                ["preparation", "content", "delivery", "communication", "overall"]
                    .flatMap { ["--\($0)", "80"] }
            case "stoa arbiter register": ["--fee", "1"]
            // The sample purchase costs a fee only.
            case "stoa cart checkout": ["--total", "0"]
            case "stoa review write": ["As described.", "--stars", "5"]
            case "stoa listing edit": ["--price", "2"]
            case "stoa listing pieces": ["--add", "1"]
            // A payment request can name the amount instead.
            case "stoa wallet send": ["1"]
            default: []
            }
        return words + command.needed + more
    }

    /// - From commands: saving a draft or a search under an existing name (in the CLI; the API
    ///   replaces it) → exit 10
    @Test func `a draft needs only a title and can be changed; a listing needs more`()
        async throws
    {
        try await withNode { stoa, server in
            func kept() -> String? { server.requests.last { $0.method == "PUT" }?.body }
            _ = try stoa.run("listing", "create", "Lamp", "--as-draft", "lamp")
            #expect(kept()?.contains(#""title":"Lamp""#) == true)
            #expect(kept()?.contains(#""amount":"0""#) == true)
            _ = try stoa.run("draft", "edit", "1", "--price", "0.4", "--tag", "old")
            #expect(kept()?.contains(#""amount":"400000000000000000""#) == true)
            #expect(kept()?.contains(#""title":"Red bicycle""#) == true)
            #expect(kept()?.contains(#""tags":["old"]"#) == true)

            let before = server.requests.count
            for (arguments, words) in [
                (["listing", "create", "Lamp"], "'--price <price>'"),
                (["listing", "create", "Lamp", "--as-draft", "x", "--light"], "need its price"),
                (["draft", "edit", "1"], "Nothing to change"),
                (["draft", "edit", "1", "--foo", "x"], "Unknown option '--foo'"),
                (["draft", "edit", "1", "--media", "x", "--no-media"], "not both"),
                (
                    ["listing", "create", "Lamp", "--as-draft", "x", "--dry-run"],
                    "leave out --dry-run"
                ),
                (["listing", "create", "Lamp", "--as-draft", ""], "Name the draft"),
                (["listing", "edit", "1"], "such as --price"),
                (["draft", "edit", "1", "--currency", "TST", "--title", "x"], "give --price"),
            ] {
                let refused = try stoa.run(all: arguments)
                #expect(refused.code == 2 && refused.words.contains(words), "\(refused.words)")
            }
            for arguments in [
                ["listing", "create", "Lamp", "--as-draft", "1"], ["draft", "copy", "1", "1"],
            ] {
                let replacing = try stoa.run(all: arguments)
                #expect(replacing.code == 10, "\(replacing.words)")
                #expect(replacing.words.contains("You already have a draft '1'."))
            }
            let kept = try stoa.run("draft", "edit", "deposits", "--price", "0.4")
            #expect(kept.code == 10 && kept.words.contains("deposits or fees"), "\(kept.words)")
            #expect(server.requests.dropFirst(before).allSatisfy { $0.method == "GET" })
            let retold = try stoa.run("draft", "edit", "deposits", "--title", "Blue bicycle")
            #expect(retold.code == 0 && server.requests.last?.method == "PUT")
        }
    }

    @Test func `removes a part of the delivery address`() async throws {
        try await withNode { stoa, server in
            for (arguments, words) in [
                (["--text", ""], "stoa account address clear --text"), ([], "Nothing to set"),
                (["--foo", "x"], "Unknown option '--foo'"),
            ] {
                let refused = try stoa.run(all: ["account", "address", "set"] + arguments)
                #expect(refused.code == 2 && refused.words.contains(words), "\(refused.words)")
            }
            _ = try stoa.run("account", "address", "clear", "--point")
            let kept = server.requests.last { $0.method == "PUT" }?.body
            #expect(kept?.contains("place") == true && kept?.contains("point") == false)
        }
    }

    /// What a node was asked that has the key of an account sign.
    private static func signatures(_ server: ScriptedServer) -> [String] {
        server.requests.filter { request in
            let path = request.uri.dropFirst("/v1/".count)
            return request.method != "GET" && !path.hasSuffix("/preview")
                && !free.contains { path == $0 || path.hasPrefix($0 + "/") }
                && !freeEnds.contains { path.hasSuffix($0) }
        }.map { "\($0.method) \($0.uri)" }
    }

    /// Runs `body` with a node that has whatever is asked for, and a program signed in to it.
    private func withNode(
        _ samples: SampleAnswers? = nil,
        _ body: (Program, ScriptedServer) async throws -> Void
    ) async throws {
        let samples = try samples ?? SampleAnswers()
        try await ScriptedServer.scoped(
            answer: { request, _ in samples.answer(to: request) }
        ) { node, server in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            try await body(stoa, server)
        }
    }
}
