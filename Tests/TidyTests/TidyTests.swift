import Foundation
import Testing

/// Rules of the house that the compiler cannot hold.
struct TidyTests {
    @Test(
        arguments: sources(under: "Sources/Gossip/Protocol")
            + sources(under: "Sources/Contracts/Protocol")
            + sources(under: "Sources/Node/Chat/Cores")
            + sources(under: "Sources/Node/Deadlines/Cores")
            + sources(under: "Sources/Node/Media/Formats")
    )
    func `protocol code does no input or output`(file: URL) throws {
        let code = try code(of: file)
        let imports = code.matches(of: /(?m)^(?:package )?import (\w+)/).map { String($0.output.1) }
        let allowed = [
            "Market", "Keys", "Crypto", "Collections", "DequeModule", "HeapModule",
            "SwiftProtobuf", "Storage",
        ]
        // The generated code's bytes are Foundation's.
        let wire = file.lastPathComponent.hasSuffix("+Wire.swift") ? ["Foundation"] : []

        #expect(imports.allSatisfy((allowed + wire).contains), "\(imports)")
        for banned in [".now", "Task {", " async ", "await ", ".random(", "Date("] {
            #expect(!code.contains(banned), "\(file.lastPathComponent) uses \(banned)")
        }
    }

    @Test(arguments: sources(under: "Sources") + sources(under: "Tests"))
    func `no file outgrows one reading`(file: URL) throws {
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count
        #expect(lines <= 400)
    }

    @Test(arguments: sources(under: "Sources"))
    func `nothing escapes structure, memory safety or bounds`(file: URL) throws {
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

    @Test(arguments: [
        ("CLMDB", "Sources/Storage/LMDB"),
        ("COpenSSL", "Sources/Gossip/Transport"),
        ("CPNG", "Sources/CLI/Receive"),
        ("CQREncode", "Sources/CLI/Receive"),
        ("CSecp256k1", "Sources/Keys"),
        ("CProcess", "Sources/Node"),
    ])
    func `a C library has one door`(library: String, door: String) throws {
        for file in sources(under: "Sources") where !file.path.contains("/" + door + "/") {
            #expect(try !code(of: file).contains("import \(library)"), "\(file.path)")
        }
    }

    @Test(
        arguments: [
            ("Concurrency", []),
            ("Keys", []),
            ("Market", ["Keys"]),
            ("Storage", ["Concurrency", "Keys", "Market"]),
            ("Gossip", ["Concurrency", "Keys", "Market"]),
            ("Contracts", ["Concurrency", "Keys", "Market"]),
            ("Client", ["Concurrency"]),
            (
                "Node",
                ["Client", "Concurrency", "Contracts", "Gossip", "Keys", "Market", "Storage"]
            ),
            ("CLI", ["Client", "Concurrency", "Node"]),
        ] as [(String, [String])]
    )
    func `imports run one way`(module: String, below: [String]) throws {
        let own: Set = [
            "Concurrency", "Keys", "Market", "Storage", "Gossip", "Contracts", "Client", "Node",
            "CLI",
        ]
        for file in sources(under: "Sources/\(module)") {
            let imports = try code(of: file).matches(of: /(?m)^(?:\w+ )?import (\w+)/)
                .map { String($0.output.1) }
                .filter(own.contains)
            #expect(imports.allSatisfy(below.contains), "\(file.lastPathComponent): \(imports)")
        }
    }

    @Test(arguments: sources(under: "Sources"))
    func `clocks are read in one module`(file: URL) throws {
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

    @Test func `each refusal in the document has its test`() throws {
        let document = try String(
            contentsOf: root.appending(path: "Docs/refusals.md"),
            encoding: .utf8
        )
        let tests = try sources(under: "Tests")
            .map { try String(contentsOf: $0, encoding: .utf8) }
            .joined()
        let named = document.matches(of: /(?m)\| `([^`]+)` \|$/).map { String($0.output.1) }
        #expect(named.count > 40)
        let missing = named.filter { !tests.contains("func `\($0)`") }
        #expect(missing.isEmpty)
    }

    @Test func `each code of a problem and of the program has a row among the refusals`() throws {
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
    func `each type that others see has a doc comment`(file: URL) throws {
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
