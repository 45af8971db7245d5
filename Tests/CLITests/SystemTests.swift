import Foundation
import Setup
import Support
import Testing

/// What the system refuses or sends to the program, and what it says then.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct SystemTests {
    private static let isRoot = geteuid() == 0
    /// Runs a shell command as a user who is not root.
    private static let asOther =
        isRoot ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
    private static let settings = Program.settings.map { "--set \($0)" }.joined(separator: " ")

    private let folder: TemporaryFolder
    private let stoa: Program

    init() throws {
        folder = try TemporaryFolder()
        stoa = Program(folder: folder.path("data"))
    }

    /// Runs a script whose `$0` is the program, `$1` the data folder and `$2` the test's folder.
    private func refused(_ script: String, _ code: Int32, _ words: String...) throws {
        let outcome = try Program.shell(script, stoa.folder, folder.path)
        #expect(outcome.code == code, "\(script): \(outcome.words)")
        for words in words { #expect(outcome.words.contains(words), "\(script): \(outcome.words)") }
        // No text of Swift, SQLite or LMDB.
        for text in ["Error Domain", "SQLite", "LMDB", "Swift", "errno", "Optional("] {
            #expect(!outcome.words.contains(text), "\(script): \(outcome.words)")
        }
    }

    @Test func `SIGHUP neither ends a node nor changes it`() async throws {
        try stoa.withNode {
            let data = try Data(contentsOf: URL(filePath: stoa.folder + "/node.address"))
            let node = try JSONSerialization.jsonObject(with: data) as? [String: Any]
            let process = try #require(node?["process"] as? Int32)
            for _ in 0..<3 { #expect(kill(process, SIGHUP) == 0) }
            let status = try stoa.run("node", "status")
            #expect(status.code == 0, "\(status.words)")
            #expect(kill(process, 0) == 0)
        }
    }

    @Test(arguments: ["::1", "::", "[::1]"])
    func `a node listens on an IPv6 address and answers there`(host: String) throws {
        guard FileManager.default.contents(atPath: "/proc/net/if_inet6")?.isEmpty == false else {
            return
        }
        try stoa.withNode(["api.host=\(host)"]) {
            let api = try #require(try stoa.running()["api"])
            #expect(api.hasPrefix("http://[::1]:"), "\(api)")
            #expect(try stoa.running()["health"]?.hasPrefix("http://[::1]:") == true)
            let status = try stoa.run("node", "status")
            #expect(status.code == 0, "\(status.words)")
            #expect(try stoa.run("node", "status", "--node", api).code == 0)
            let create = ["account", "create", "ana", "--password-stdin", "--node", api]
            let created = try stoa.run(all: create, input: "correct horse\n")
            #expect(created.code == 0)
        }
    }

    /// - From commands: a host in the settings that does not resolve, or belongs to another machine
    ///   → exit 4
    @Test func `reports a host that does not resolve or is another machine's`() throws {
        #expect(try stoa.run("init").code == 0)
        let run = #""$0" node run --data "$1" \#(Self.settings) --set "#
        try refused(
            run + "api.host=no-such-host.invalid",
            4,
            "no address is known for the host",
            "Correct 'api.host'"
        )
        try refused(run + "api.host=192.0.2.1", 4, "not an address of this machine", "'api.host'")
        try refused(
            run + "listen=/dns4/no-such-host.invalid/tcp/0",
            4,
            "no-such-host.invalid"
        )
        let away = #""$0" node status --node http://no-such-host.invalid:8080"#
        try refused(away, 7, "no address is known for this name")
    }

    /// - From commands: a system limit on files or address space that is below what the program
    ///   needs → exit 4
    @Test func `names the limit to raise if there are too few files or memory`() throws {
        #expect(try stoa.run("init").code == 0)
        let run = #" exec "$0" node run --data "$1" "# + Self.settings
        try refused("ulimit -n 100;" + run, 4, "can have 100 files open", "ulimit -n 1024")
        try refused("ulimit -n 40;" + run, 4, "can have 40 files open", "a node 1024")
        try refused(
            "ulimit -v 6000000;" + run + " --set store.mapGibibytes=64",
            4,
            "ulimit -v",
            "store.mapGibibytes"
        )
    }

    /// - From commands: a backup that cannot be written → exit 4
    @Test func `backs up a read-only folder`() throws {
        try stoa.withNode {
            let create = ["account", "create", "ana", "--password-stdin"]
            let created = try stoa.run(all: create, input: "correct horse\n")
            #expect(created.code == 0, "\(created.words)")
        }
        let owner = Self.isRoot ? #"chown -R 65534:65534 "$1" && "# : ""
        let open = #"chmod 755 "$2" && mkdir -m 777 "$2/out" && "#
        let close = #"chmod -R a-w "$1" && "#
        let made = try Program.shell(
            owner + open + close + Self.asOther + #""$0" store export "$2/out/copy" --data "$1""#,
            stoa.folder,
            folder.path
        )
        #expect(made.code == 0, "\(made.words)")
        // What can only be read cannot take a backup either.
        try refused(
            #"mkdir -m 555 "$2/shut" && "# + Self.asOther
                + #""$0" store export "$2/shut/copy" --data "$1""#,
            4,
            "/shut/copy cannot be written",
            "Name another folder"
        )
        try refused(
            Self.asOther + #""$0" node run --data "$1" "# + Self.settings,
            4,
            "cannot be written",
            "give this user the right"
        )
        _ = try Program.shell(#"chmod -R u+w "$2""#, stoa.folder, folder.path)
        if Self.isRoot {
            _ = try Program.shell(#"chown -R 0:0 "$2""#, stoa.folder, folder.path)
        }
        let copy = Program(folder: folder.path("out/copy"))
        try copy.withNode(isNew: false) {
            let listed = try copy.run("account", "list")
            #expect(listed.out.contains("ana"))
        }
    }

    /// - From commands: a data folder of another user → exit 4
    @Test func `reports a folder of another user`() throws {
        guard Self.isRoot else { return }
        #expect(try stoa.run("init").code == 0)
        _ = try Program.shell(#"chmod 755 "$2""#, stoa.folder, folder.path)
        let run = Self.asOther + #""$0" node run --data "$1" "# + Self.settings
        try refused(run, 4, "this user may not read it")
        try refused(
            Self.asOther + #""$0" init --data "$2/new""#,
            4,
            "Permission denied",
            "--data"
        )
        try refused(
            Self.asOther + #""$0" store export /tmp/none --data "$1""#,
            4,
            "cannot be read"
        )
    }

    /// - From commands: a full disk, at `account unattended on` → exit 1
    @Test func `a full disk keeps no key of an account that is left alone`() throws {
        guard Self.isRoot else { return }
        let script = """
            mkdir -p "$2/full" && mount -t tmpfs -o size=64m none "$2/full" || exit 99
            data="$2/full/data"
            left() { "$0" account unattended "$@" --data "$data" 2>&1; echo "code $?"; }
            on() { echo "correct horse" | left on ana --moves end --until 1d --password-stdin; }
            "$0" init --data "$data" >"$2/said" || exit 98
            "$0" node run --data "$data" \(Self.settings) >"$2/said" 2>&1 &
            trap "kill $!; wait" EXIT
            for turn in $(seq 200); do
                "$0" node status --data "$data" >"$2/said" 2>&1 && break
            done
            echo "correct horse" \
                | "$0" account create ana --password-stdin --data "$data" >"$2/said" 2>&1 || exit 97
            cat /dev/zero >"$2/full/fill" 2>"$2/said"
            on; echo files $(ls "$data/unattended"); left show ana
            rm "$2/full/fill"
            on; echo files $(ls "$data/unattended")
            """
        let end = try Program.shell(
            #"exec unshare -m sh -c "$3" "$0" "$1" "$2""#,
            stoa.folder,
            folder.path,
            script
        )
        guard end.code != 99, !end.words.contains("unshare") else { return }
        #expect(end.code == 0, "\(end)")
        let parts = end.out.components(separatedBy: "files")
        try #require(parts.count == 3, "\(end)")
        #expect(parts[0].contains("disk with the node's data folder is full"), "\(end)")
        #expect(parts[0].contains("Free some space there") && parts[0].contains("code 1"))
        #expect(parts[1].hasPrefix("\n") && parts[1].contains("the node makes no move for it"))
        #expect(parts[1].contains("code 0") && parts[1].contains("the node makes these moves: end"))
        #expect(parts[2].hasPrefix(" 0x") && !parts[2].contains(".new"))
    }

    /// - From commands: a full disk, at `init`, `node run` and `store export` → exit 4, 1
    @Test func `reports a full disk`() throws {
        guard Self.isRoot else { return }
        #expect(try stoa.run("init").code == 0)
        try stoa.withNode(isNew: false) {}
        // A disk of 256 KiB in a mount namespace of its own, which ends with the script.
        let disk = #"mkdir -p "$2/full" && mount -t tmpfs -o size=256k none "$2/full""#
        func onDisk(_ script: String) -> String {
            "exec unshare -m sh -c '\(disk) && \(script)' \"$0\" \"$1\" \"$2\""
        }
        guard try Program.shell(onDisk("true"), stoa.folder, folder.path).code == 0 else { return }
        let fill = #"(cat /dev/zero >"$2/full/fill" 2>/dev/null; true)"#
        try refused(
            onDisk(#"\#(fill) && exec "$0" init --data "$2/full/new""#),
            4,
            "cannot be written: No space left on device. Free some space"
        )
        try refused(
            onDisk(#"\#(fill) && exec "$0" store export "$2/full/copy" --data "$1""#),
            1,
            "disk is full; free some space"
        )
        try refused(
            onDisk(
                #"cp -r "$1" "$2/full/data" 2>/dev/null; rm -rf "$2/full/data/store"; "#
                    + #"\#(fill) && exec "$0" node run --data "$2/full/data" \#(Self.settings)"#
            ),
            1,
            "disk is full"
        )
    }
}
