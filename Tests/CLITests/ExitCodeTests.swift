import Foundation
import Setup
import Support
import Testing

/// What the program says and ends with, in processes of its own, where it is used wrongly.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ExitCodeTests {
    private let folder: TemporaryFolder
    private let stoa: Program

    init() throws {
        folder = try TemporaryFolder()
        stoa = Program(folder: folder.path("data"))
    }

    /// Holds an outcome against its exit code and a part of its words; never is it a crash.
    private func hold(_ outcome: Program.Outcome, _ code: Int32, _ words: String) {
        #expect(outcome.code == code, "\(outcome.words)")
        #expect(outcome.words.contains(words), "\(outcome.words)")
        for trace in ["Fatal error", "Backtrac", "Error Domain", "CodingKeys", "errno:"] {
            #expect(!outcome.words.contains(trace), "\(outcome.words)")
        }
    }

    /// - From commands: an empty id → exit 2
    /// - From commands: a wrong password, or no account signed in → exit 9
    /// - From commands: anything that a rule refuses: a taken name, a weak password, … → exit 10
    @Test func `password, sign-in and taken-name errors have their own exit codes`() throws {
        try stoa.withNode {
            let (good, bad) = ("correct horse\n", "wrong horse\n")
            let create = try stoa.run("account", "create", "ana", "--password-stdin", input: good)
            #expect(create.code == 0 && create.out.contains("Account ana: 0x"))
            #expect(create.out.contains("Signed in as ana"))
            let status = try stoa.run("status")
            #expect(status.code == 0 && status.out.contains("in no market"), "\(status.words)")
            hold(
                try stoa.run("account", "create", "Ana", "--password-stdin", input: good),
                10,
                "Choose another name"
            )
            hold(
                try stoa.run("account", "sign-in", "ana", "--password-stdin", input: bad),
                9,
                "The account or its password is wrong."
            )
            hold(
                try stoa.run("account", "create", "bo", "--password-stdin", input: "short\n"),
                10,
                "at least 8 characters"
            )
            hold(
                try stoa.run("account", "create", "\u{1B}[31m", "--password-stdin", input: good),
                2,
                "no spaces, control or invisible characters"
            )
            #expect(try stoa.run("account", "sign-out").code == 0)
            hold(try stoa.run("wallet", "balance"), 9, "stoa account sign-in")
            hold(try stoa.run("listing", "show", ""), 2, "is not an id or a name")
            hold(try stoa.run("listing", "show", "../node"), 7, "is in no market")
            hold(try stoa.run("peers", "connect", "x"), 2, "/p2p/")
            let away =
                "/ip4/127.0.0.1/tcp/1/p2p/16Uiu2HAkvqcszgYSKmM4ZKYYWHRUKiKTKKsgxv3UmpPFdnZNf7Zw"
            hold(try stoa.run("peers", "connect", away), 7, "Connection refused")
        }
    }

    @Test func `a node in no market says so once it is ready`() throws {
        var said = ""
        try stoa.withNode(isNew: true, said: &said, until: "in no market") {}
        #expect(said.contains("node is ready"), "\(said)")
    }

    /// - From commands: removing an account without a terminal → exit 2
    @Test func `removing an account needs its password and a confirmation`() throws {
        try stoa.withNode {
            let (good, bad) = ("correct horse\n", "wrong horse\n")
            for name in ["ana", "bo"] {
                let made = try stoa.run("account", "create", name, "--password-stdin", input: good)
                #expect(made.code == 0)
            }
            let signIn = ["account", "sign-in", "ana", "--password-stdin"]
            #expect(try stoa.run(all: signIn, input: good).code == 0)
            let remove = ["account", "remove", "ana", "--password-stdin"]
            hold(try stoa.run(all: remove, input: good), 2, "Add --yes to confirm.")
            let asked = try stoa.run(typing: "no\n", remove)
            hold(asked, 2, "An imported account has no phrase. Save the key first")
            hold(try stoa.run(all: remove + ["--yes"], input: bad), 9, "password is wrong")
            let done = try stoa.run(all: remove + ["--yes"], input: good)
            #expect(done.code == 0 && done.out == "ana is removed from this node.\n")
            let list = try stoa.run("account", "list").out
            #expect(!list.contains("ana") && list.contains("bo"))
            // Its session is forgotten too.
            hold(try stoa.run("wallet", "balance", "--as", "ana"), 9, "stoa account sign-in")
            hold(try stoa.run(all: signIn, input: good), 9, "password is wrong")
        }
    }

    /// - From commands: exporting a key to a file without a name → exit 2
    /// - From commands: exporting a key to a file that exists or cannot be written → exit 4
    @Test func `imports a key from another wallet, exports it, sets a new password`() throws {
        try stoa.withNode {
            let (old, new) = ("correct horse\n", "correct horse\nnew horse 1\n")
            let digits = String(repeating: "46", count: 32)
            let key = folder.path("key")
            try digits.write(toFile: key, atomically: true, encoding: .utf8)
            let importing = [
                "account", "import", "ana", "--private-key-file", key, "--password-stdin",
            ]
            hold(try stoa.run(all: importing, input: old), 9, "chmod 600")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
            let made = try stoa.run(all: importing, input: old)
            #expect(made.code == 0, "\(made.words)")
            #expect(made.out.contains("ana: 0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F"))

            let reveal = ["account", "reveal", "ana", "--password-stdin"]
            hold(try stoa.run(all: reveal, input: old), 2, "Add --yes to confirm.")
            #expect(try stoa.run(all: reveal + ["-y"], input: old).out == "0x\(digits)\n")

            let file = folder.path("exported")
            let export = ["account", "export", "ana", "--password-stdin", "--into", file]
            #expect(try stoa.run(all: export, input: old).code == 0)
            hold(try stoa.run(all: export, input: old), 4, "exists. Name another file")
            let nowhere = export.dropLast() + ["/none/such"]
            hold(try stoa.run(all: Array(nowhere), input: old), 4, "cannot be written")
            let unnamed = Array(export.dropLast()) + [""]
            hold(try stoa.run(all: unnamed, input: old), 2, "--into is empty. Name a file.")
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
            #expect(mode as? Int == 0o600)

            let change = ["account", "password", "ana", "--password-stdin"]
            hold(try stoa.run(all: change, input: old), 2, "no second line")
            let changed = try stoa.run(all: change, input: new)
            #expect(changed.code == 0 && changed.out.contains("has a new password"))
            let signIn = ["account", "sign-in", "ana", "--password-stdin"]
            hold(try stoa.run(all: signIn, input: old), 9, "password is wrong")
            #expect(try stoa.run(all: signIn, input: "new horse 1\n").code == 0)

            let remove = ["account", "remove", "ana", "--yes", "--password-stdin"]
            #expect(try stoa.run(all: remove, input: "new horse 1\n").code == 0)
            let password = folder.path("password")
            try old.write(toFile: password, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600],
                ofItemAtPath: password
            )
            let back = [
                "account", "import", "bo", "--keystore", file, "--keystore-password-file",
                password, "--password-stdin",
            ]
            let again = try stoa.run(all: back, input: "other horse\n")
            #expect(again.code == 0 && again.out.contains("bo: 0x9d8A62f656a8"), "\(again.words)")
        }
    }

    /// - From commands: an operator call without the token → exit 9
    @Test func `an operator's token works without access to the node's folder`() throws {
        try stoa.withNode {
            let api = try #require(try stoa.running()["api"])
            let elsewhere = Program(folder: folder.path("elsewhere"))
            let ask = ["peers", "list", "--node", api]
            hold(try elsewhere.run(all: ask), 9, "needs the operator's token")
            let token = stoa.folder + "/node.token"
            #expect(try elsewhere.run(all: ask + ["--token-file", token]).code == 0)
            // By the address of the folder's own node, as without it.
            #expect(try stoa.run(all: ask).code == 0)
            let files = FileManager.default
            try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: token)
            hold(try elsewhere.run(all: ask + ["--token-file", token]), 9, "Other users can read")
        }
    }

    /// - From commands: a port in use: API, health, peers → exit 4
    /// - From commands: a folder in use by another process → exit 5
    @Test func `refuses a second node in the same folder or at a used port`() throws {
        try stoa.withNode {
            let running = try stoa.running()
            hold(try stoa.run("node", "run"), 5, "is in use by process")
            // The first one is still found.
            #expect(try stoa.running() == running)
            #expect(try stoa.run("node", "status").code == 0)

            let other = Program(folder: folder.path("other"))
            #expect(try other.run("init").code == 0)
            let api = try #require(running["api"]?.split(separator: ":").last)
            let free = Program.settings.flatMap { ["--set", $0] }
            for (setting, name) in [
                ("api.port=\(api)", "api.port"), ("health.port=\(api)", "health.port"),
                ("listen=/ip4/127.0.0.1/tcp/\(api)", "listen"),
            ] {
                let arguments = ["node", "run"] + free + ["--set", setting]
                let outcome = try other.run(all: arguments)
                hold(outcome, 4, "cannot be listened on (Address already in use)")
                #expect(outcome.words.contains("'\(name)'"))
            }
        }
    }

    /// - From commands: `--ships-to` or `--pickup-place` with another delivery method → exit 2
    @Test func `refuses options that contradict the listing's delivery`() throws {
        let create = [
            "listing", "create", "Bicycle", "--price", "1", "--description", "Red.", "--category",
            "vehicles", "--tag", "red", "--identifier", "1",
        ]
        let pickup = ["--delivery", "pickup", "--ships-to", "DE", "--pickup-place", "Harbour 4"]
        hold(try stoa.run(all: create + pickup), 2, "--ships-to is for --delivery shipping")
        let place = ["--pickup-place", "Harbour 4"]
        hold(try stoa.run(all: create + place), 2, "--pickup-place is for --delivery pickup")
    }

    /// - From commands: a node that is not running → exit 7
    /// - From commands: a text that is not a node's address → exit 2
    /// - From commands: a damaged node.address → exit 1
    /// - From commands: a folder without a node → exit 4
    @Test func `reports a node that is not running`() throws {
        let away = try stoa.run("node", "status", "--node", "http://127.0.0.1:1")
        hold(away, 7, "No node answers")
        hold(away, 7, "name its data folder with --data")
        hold(
            try stoa.run("node", "status", "--node", "127.0.0.1:99999"),
            2,
            "not the address of a node"
        )
        hold(try stoa.run("node", "run"), 4, "Run 'stoa init")
        #expect(!FileManager.default.fileExists(atPath: stoa.folder))
        try FileManager.default.createDirectory(
            atPath: stoa.folder,
            withIntermediateDirectories: true
        )
        try Data("garbage".utf8).write(to: folder.url.appending(path: "data/node.address"))
        hold(try stoa.run("node", "status"), 1, "node.address is damaged")
    }

    /// - From commands: a read-only folder, or a path that is not a folder → exit 4
    @Test func `names a folder that is not writable`() throws {
        let none = Program(folder: "/proc/stoa")
        hold(try none.run("init"), 4, "/proc/stoa cannot be written")
        hold(try Program(folder: "").run("init"), 2, "--data is empty")
        try Data().write(to: folder.url.appending(path: "file"))
        hold(try Program(folder: folder.path("file")).run("init"), 4, "cannot be written")
    }

    /// - From commands: joining a market with settings or a market file that cannot be read, or in
    ///   a folder that already has settings → exit 4
    @Test func `joins a market from its settings and overwrites no settings`() throws {
        let (market, deployment) = (folder.path("market.yaml"), folder.path("fair.json"))
        let settings =
            "network: fair\nchain: {rpc: \"http://127.0.0.1:1\", deployment: fair.json}\n"
        try Data(settings.utf8).write(to: URL(filePath: market))
        let join = ["init", "--market", market]
        hold(try stoa.run(all: join), 4, "fair.json cannot be read")
        #expect(!FileManager.default.fileExists(atPath: stoa.folder))
        try Data("{}".utf8).write(to: URL(filePath: deployment))
        #expect(try stoa.run(all: join).code == 0)
        let shown = try stoa.run("config", "show").out
        #expect(shown.contains("fair") && shown.contains(", usual on this chain)"))
        let copy = stoa.folder + "/deployment.json"
        #expect(FileManager.default.contents(atPath: copy) == Data("{}".utf8))
        hold(try stoa.run(all: join), 4, "stoa.yaml exists already")
        hold(try stoa.run("init", "--market", "/none"), 4, "/none cannot be read")
        let other = Program(folder: folder.path("other"))
        try Data("network: a b\n".utf8).write(to: URL(filePath: market))
        hold(try other.run(all: join), 4, "without spaces")
        #expect(!FileManager.default.fileExists(atPath: other.folder))
    }

    /// - From commands: a damaged store, or a file that is not a store → exit 1
    @Test func `names a file that is not a store and leaves it alone`() throws {
        #expect(try stoa.run("init").code == 0)
        let store = folder.url.appending(path: "data/store")
        try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
        let garbage = Data(repeating: 0x5A, count: 65_536)
        try garbage.write(to: store.appending(path: "data.mdb"))
        hold(try stoa.run("node", "run"), 1, "restore a backup")
        #expect(try Data(contentsOf: store.appending(path: "data.mdb")) == garbage)
    }

    /// - From commands: an unknown configuration key in a flag, the file or the environment → exit
    ///   4
    /// - From commands: `config check` of a folder that does not exist → exit 4
    @Test func `an unknown setting or impossible value exits with 4`() throws {
        #expect(try stoa.run("init").code == 0)
        for (setting, words) in [
            ("api.prot=1", "Did you mean 'api.port'?"), ("api.port=-1", "from 0 to 65535"),
            ("listen=x", "must be multiaddrs"), ("chain.rpc=http://", "must be URLs"),
            ("chain.rpc=http://127.0.0.1:99999", "must be URLs"),
            ("bootstrap=/ip4/127.0.0.1/tcp/1", "/p2p/"), ("api.origins=shop", "must be origins"),
            ("chain.deployment=/none", "at least one URL"),
            ("quite.other=1", "See 'stoa config show' for their names."),
        ] {
            hold(try stoa.run("config", "check", "--set", setting), 4, words)
        }
        hold(try stoa.run("config", "check", "--set", "api.port"), 2, "name=value")
        let market = ["--set", "chain.rpc=http://127.0.0.1:1", "--set", "chain.deployment=/none"]
        hold(try stoa.run(all: ["config", "check"] + market), 4, "chain.deployment names '/none'")
        for command in ["check", "show"] {
            let elsewhere = Program(folder: folder.path("mistyped"))
            hold(try elsewhere.run("config", command), 4, "mistyped is missing. Run 'stoa init")
        }
        var mistyped = stoa
        mistyped.environment = ["STOA_API_PROT": "1"]
        hold(try mistyped.run("config", "check"), 4, "Did you mean 'STOA_API_PORT'?")
        try Data("api: [".utf8).write(to: folder.url.appending(path: "data/stoa.yaml"))
        hold(try stoa.run("config", "check"), 4, "not readable as YAML")
    }

    /// - From commands: lines of the header file of `chain deploy` that are not headers, or do not
    ///   name their endpoint → exit 2
    /// - From commands: `chain deploy` with an output that exists and is not the result of the same
    ///   deployment → exit 4
    /// - From commands: an endpoint that does not answer, or a wrong chain id, at `chain deploy` →
    ///   exit 7
    @Test func `rejects wrong input for the chain commands at once`() throws {
        let key = folder.path("key")
        let isMade = FileManager.default.createFile(
            atPath: key,
            contents: Data(String(repeating: "1", count: 64).utf8),
            attributes: [.posixPermissions: 0o600]
        )
        #expect(isMade)
        let output = folder.path("deployment.json")
        func deploy(_ rpc: String, _ more: String...) throws -> Program.Outcome {
            try Program.plain(
                ["chain", "deploy", "--rpc", rpc, "--chain-id", "1", "--output", output] + more
            )
        }
        hold(try deploy("http://127.0.0.1:1", "--key-file", key), 7, "Connection refused")
        hold(try deploy("x", "--key-file", key), 2, "not a URL")
        hold(try deploy("http://127.0.0.1:1", "--key-file", "none"), 2, "cannot be read")
        hold(
            try deploy("http://127.0.0.1:1", "--key-file", key, "--platform-fee", "5.01%"),
            2,
            "500 basis points"
        )
        hold(
            try deploy("http://127.0.0.1:1", "--key-file", key, "--confirmations", "0"),
            2,
            "1 to 64 blocks"
        )
        hold(
            try deploy("http://127.0.0.1:1", "--key-file", key, "--tip-floor-gwei", "1e3"),
            2,
            "gwei with at most nine decimals"
        )
        let headers = folder.path("headers")
        let areMade = FileManager.default.createFile(
            atPath: headers,
            contents: Data("\nother.example x-api-key: secret\n".utf8),
            attributes: [.posixPermissions: 0o600]
        )
        #expect(areMade)
        let foreign = try deploy(
            "http://127.0.0.1:1",
            "--key-file",
            key,
            "--rpc-headers-file",
            headers
        )
        hold(foreign, 2, "must hold headers such as")
        #expect(!foreign.words.contains("secret"))
        #expect(!FileManager.default.fileExists(atPath: output + ".journal"))
        // Somebody else's file is refused before the endpoint is asked, and stays as it is.
        try Data("my password".utf8).write(to: URL(filePath: output))
        let taken = try deploy("http://127.0.0.1:1", "--key-file", key, "--yes")
        hold(taken, 4, "exists already and is not the result of this deployment")
        #expect(FileManager.default.contents(atPath: output) == Data("my password".utf8))
        #expect(!FileManager.default.fileExists(atPath: output + ".journal"))
    }

    /// - From commands: a node's key or token that other users may read → exit 4
    @Test func `a node does not start with a secret that others may read`() throws {
        for name in ["node.key", "node.token"] {
            let node = Program(folder: folder.path("open-" + name))
            #expect(try node.run("init").code == 0)
            let file = node.folder + "/" + name
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
            let settings = Program.settings.flatMap { ["--set", $0] }
            hold(try node.run(all: ["node", "run"] + settings), 4, "Run 'chmod 600' on it first.")
        }
    }

    /// - From commands: `cluster up --test-token` with `--rpc` → exit 2
    /// - From commands: a wrong size, chain, key or address of a cluster → exit 2
    @Test func `wrong cluster input does not block the next try`() throws {
        let market = folder.path("market")
        func up(_ arguments: String...) throws -> Program.Outcome {
            try Program.plain(["cluster", "up", "--folder", market] + arguments)
        }
        hold(try up("--nodes", "0"), 2, "1 to 32 nodes")
        hold(try up("--nodes", "-5"), 2, "1 to 32 nodes")
        hold(try up("--chain-command", ""), 2, "--chain-command is empty")
        hold(try up("--rpc", "http://127.0.0.1:1", "--key-file", "none"), 2, "cannot be read")
        let running = ["--rpc", "http://127.0.0.1:1", "--key-file", "none", "--test-token"]
        hold(try Program.plain(["cluster", "up", "--folder", market] + running), 2, "leave it out")
        hold(try up("--chain-command", "/none/such"), 1, "No such file or directory")
        // The next try is another.
        hold(try up("--chain-command", "false"), 1, "its log \(market)/chain.log is empty")
        hold(try Program.plain(["cluster", "status", "--folder", "/none"]), 4, "no cluster")
        // No try came as far as a market, so none has left a cluster.
        for verb in [["fund", "anna"], ["stop", "1"], ["down"]] {
            let arguments = ["cluster"] + verb.prefix(1) + ["--folder", market] + verb.dropFirst()
            hold(try Program.plain(Array(arguments)), 4, "There is no cluster in")
        }
    }
}
