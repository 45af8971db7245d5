import Foundation
import Testing

/// Rules of the house that the compiler cannot hold.
struct TidyTests {
    @Test(
        arguments: sources(under: "Sources/GossipProtocol")
            + sources(under: "Sources/Ethereum/Protocol")
            + sources(under: "Sources/Ethereum/Transactions")
            + sources(under: "Sources/Mail/Cores")
            + sources(under: "Sources/Trade/Deadlines/Cores")
            + sources(under: "Sources/MediaFiles/Formats")
    )
    func `protocol code performs no input or output`(file: URL) throws {
        let code = try code(of: file)
        let imports = code.matches(of: /(?m)^(?:package )?import (\w+)/).map { String($0.output.1) }
        let allowed = [
            "Market", "Keys", "BigInt", "Crypto", "DequeModule", "HeapModule", "Storage", "Texts",
        ]

        #expect(imports.allSatisfy(allowed.contains), "\(imports)")
        for banned in [".now", "Task {", " async ", "await ", ".random(", "Date("] {
            #expect(!code.contains(banned), "\(file.lastPathComponent) uses \(banned)")
        }
    }

    @Test(arguments: sources(under: "Sources") + sources(under: "Tests"))
    func `no file has more than 400 lines`(file: URL) throws {
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count
        #expect(lines <= 400)
    }

    @Test(arguments: sources(under: "Sources"))
    func `bans unstructured tasks, unsafe code and unbounded streams`(file: URL) throws {
        let code = try code(of: file)
        let banned = [
            "Task.detached", "@unchecked Sendable", "try!", "fatalError(",
            "bufferingPolicy: .unbounded", "TODO", "FIXME",
        ]
        let used = banned.filter(code.contains)
        #expect(used.isEmpty)
        let isLoose = code.contains(/\bTask \{/)
        #expect(!isLoose, "an unstructured task")
        let isUnbounded = code.contains(/AsyncStream(<[^>]*>)?\.makeStream\(\)/)
        #expect(!isUnbounded, "an unbounded stream")
    }

    @Test(arguments: sources(under: "Sources"))
    func `transactions refuse, sign and seal nothing`(file: URL) throws {
        let extensions = /(?ms)^extension (?:Readable|Write)Transaction\b.*?^}/
        for part in try code(of: file).matches(of: extensions) {
            for banned in ["Refusal(", ".refusal(", ".signed(", "signer:", "seal.seal(", "AES."] {
                #expect(!part.output.contains(banned), "\(file.lastPathComponent) has \(banned)")
            }
        }
    }

    @Test func `only checked contents are signed for accounts that are left alone`() throws {
        let uses = try sources(under: "Sources").filter {
            try code(of: $0).contains(
                /(?:struct|class|enum|extension) [\w.]+: [^{]*UnattendedUse\b/
            )
        }
        // A due move's call, and the records by which buyers reach the node.
        let names = Set(uses.map(\.lastPathComponent))
        #expect(names == ["AccountSigner.swift", "RenewedRecord.swift"])
    }

    @Test(arguments: [
        ("CLMDB", ["Sources/Storage/LMDB"]),
        ("COpenSSL", ["Sources/Gossip/Transport"]),
        ("CPNG", ["Sources/CLI/Receive"]),
        ("CPage", ["Sources/NodeAPI/Page"]),
        ("CPlaces", ["Sources/Storage/Places"]),
        ("CQREncode", ["Sources/CLI/Receive"]),
        ("CSecp256k1", ["Sources/Keys"]),
        ("CProcess", ["Sources/Setup/Process", "Sources/AccountAccess", "Sources/MediaFiles"]),
        ("CStemmer", ["Sources/Storage/Catalogue"]),
        ("CTexts", ["Sources/Texts"]),
        ("CZlib", ["Sources/MediaFiles"]),
    ])
    func `each C library is imported only in its folders`(library: String, doors: [String]) throws {
        for file in sources(under: "Sources")
        where !doors.contains(where: { file.path.contains("/" + $0 + "/") }) {
            #expect(try !code(of: file).contains("import \(library)"), "\(file.path)")
        }
    }

    @Test(arguments: sources(under: "Sources"))
    func `only one module reads clocks`(file: URL) throws {
        guard !file.path.contains("/Sources/Concurrency/") else { return }
        let code = try code(of: file)
        for banned in [
            "Date()", "Date.now", "ContinuousClock", "SuspendingClock", "Task.sleep(",
            "clock_gettime(", "time(nil)",
        ] {
            #expect(!code.contains(banned), "\(file.lastPathComponent) uses \(banned)")
        }
        // Event loops have a clock of their own, which their timers go by.
        if file.lastPathComponent != "Moment+EventLoop.swift" {
            #expect(!code.contains("NIODeadline.now()"), "\(file.lastPathComponent)")
        }
    }

    /// Parts that choose the machine's clocks; all others receive theirs.
    private static let ownClocks = [
        "/Sources/Concurrency/",
        // The parts of a node and of the library are made here.
        "/Sources/Node/NodeAssembly.swift", "/Sources/Node/NodeProcess+Parts.swift",
        "/Sources/Client/StoaClient.swift",
        // Commands, and processes that a command waits for.
        "/Sources/CLI/", "/Sources/Cluster/",
        // The limits of a socket go by its event loop.
        "/Sources/Gossip/Transport/LinkStream.swift", "/Sources/Gossip/Transport/PeerStream.swift",
        // An endpoint's date.
        "/Sources/Ethereum/RPC/RPCTransportError+Reasons.swift",
    ]

    @Test(arguments: sources(under: "Sources"))
    func `clocks are received, except where parts are made`(file: URL) throws {
        guard !Self.ownClocks.contains(where: file.path.contains) else { return }
        // A parameter may have the machine's clock as its default.
        let received = /(?m)(?:^ +|[(]|, )\w+: [^=\n]+ = (?:\.system|SystemWallClock\.seconds)/
        let code = try code(of: file).replacing(received, with: "")
        for banned in ["SystemWallClock", "SystemMonotonicClock", "Clock = .system", "on: .system"]
        {
            #expect(!code.contains(banned), "\(file.lastPathComponent) uses \(banned)")
        }
    }

    /// Optimised code of Swift 6.3.1 continues on no actor once this function has returned.
    ///
    /// That is so in a function that runs on its caller's actor: two tasks then change the actor's
    /// state at once. `withCheckedContinuation` with a `Result` does not have this fault.
    @Test(arguments: sources(under: "Sources") + sources(under: "Tests"))
    func `no continuation loses its actor in a release build`(file: URL) throws {
        guard file.lastPathComponent != "TidyTests.swift" else { return }
        #expect(try !code(of: file).contains("withCheckedThrowingContinuation"), "\(file.path)")
    }

    /// Tests that measure time, because what they test has no other measure.
    private static let timed = [
        // A delay by peers that do not answer or are slow.
        "GossipBoundsTests.swift", "BlobExchangeTests.swift", "SlowBlobPeersTests.swift",
        "HostileAvatarTests.swift",
        // Rates: of look-ups, and of guesses.
        "MailExchangeTests.swift", "APITests.swift",
    ]

    @Test(arguments: sources(under: "Tests"))
    func `tests neither sleep, nor measure time, nor draw unseeded numbers`(
        file: URL
    ) throws {
        // A program, which is tested; and this rule.
        guard !file.path.contains("/Tests/HostilePeer/"),
            file.lastPathComponent != "TidyTests.swift"
        else { return }
        let code = try code(of: file)
        for banned in ["Task.sleep(", "SuspendingClock", ".shuffled()", ".randomElement()"] {
            #expect(!code.contains(banned), "\(file.lastPathComponent) uses \(banned)")
        }
        for banned in ["ContinuousClock", ".uptime - "]
        where !Self.timed.contains(file.lastPathComponent) {
            #expect(!code.contains(banned), "\(file.lastPathComponent) uses \(banned)")
        }
    }

    @Test(arguments: sources(under: "Tests"))
    func `test names are short and begin with their subject or verb`(file: URL) throws {
        let names = try code(of: file).matches(of: /func `([^`]+)`/).map { String($0.output.1) }
        for name in names {
            #expect(name.count <= 70, "\(file.lastPathComponent): \(name)")
            let isIndirect = name.prefixMatch(of: /(?:what|who|whoever)\b/.ignoresCase()) != nil
            #expect(!isIndirect, "\(file.lastPathComponent): \(name)")
        }
    }

    @Test func `each loop's handling of errors is documented and tested`() throws {
        let document = try String(
            contentsOf: root.appending(path: "Docs/architecture.md"),
            encoding: .utf8
        )
        let section = document.split(separator: "\n## ").first {
            $0.hasPrefix("What a loop does with an error")
        }
        let rows = Set(
            try #require(section).matches(of: /(?m)^\| `([\w-]+)` \|/).map { String($0.output.1) }
        )
        let code = try sources(under: "Sources")
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        let loops = Set(
            code.matches(of: /(?:LoopErrors|forLoop)\("([\w-]+)"/).map { String($0.output.1) }
        )
        #expect(rows == loops)
        let test = try String(
            contentsOf: root.appending(path: "Tests/NodeTests/NodeLoopsTests.swift"),
            encoding: .utf8
        )
        for loop in loops { #expect(test.contains("\"\(loop)\""), "\(loop)") }
    }

    @Test func `each problem code and exit code has a row among the refusals`() throws {
        let document = try String(
            contentsOf: root.appending(path: "Docs/refusals.md"),
            encoding: .utf8
        )
        let rows = document.split(separator: "\n").filter { $0.hasPrefix("|") }.joined(
            separator: "\n"
        )
        let codes = try values(in: "Sources/Client/Types/ProblemCode.swift")
        #expect(codes.count > 40)
        let unreported = codes.filter { !rows.contains($0) }
        #expect(unreported.isEmpty)
        let exits = try values(in: "Sources/CLI/Terminal/ExitReport.swift").filter { $0 != "0" }
        #expect(exits.count > 8)
        let silent = exits.filter { !rows.contains("exit \($0) ") }
        #expect(silent.isEmpty)
    }

    @Test(arguments: sources(under: "Sources"))
    func `each top-level type has a doc comment`(file: URL) throws {
        let lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let declaration = /^(package |public )?(final )?(struct|enum|actor|class|protocol) \w+/
        for (index, line) in lines.enumerated() where line.contains(declaration) {
            let before = lines[..<index].reversed().first { !$0.hasPrefix("@") }
            #expect(before?.hasPrefix("///") == true, "line \(index + 1): \(line)")
        }
    }
}
