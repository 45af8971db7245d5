import Foundation

/// A market of one chain and some nodes on this machine, as `stoa cluster up` makes it, with
/// listings of an account on the first node.
final class LocalMarket {
    private struct Report: Decodable {
        struct Member: Decodable {
            let api: URL
            let data: String
            let process: Int32?
        }
        let members: [Member]
    }

    struct Operation: Decodable {
        let id: String
        let state: String
        let subject: String?
    }

    /// What is offered, as the API takes it.
    private struct Content: Encodable {
        struct Money: Encodable {
            let amount = "1000000000000000000"
            let currency = "native"
        }

        let type = "goods"
        let title = "A red bicycle"
        let description: String
        let category = "sports"
        let tags = ["bicycle"]
        let price = Money()
        let payment = "escrow"
        /// Another one for each listing, because one thing is sold once.
        let identifier: String
        let delivery = "shipping"
        let shipsTo = ["DE", "FR"]
    }

    private let folder: String
    /// What the nodes' operators call with, the first node's first.
    private(set) var operators: [LoopbackCaller] = []
    private(set) var processes: [Int32] = []
    private var seller = LoopbackCaller(port: 0)
    /// The folder of the first node.
    private var first = ""
    private(set) var listings: [String] = []

    init(folder: String, nodes: Int) throws {
        self.folder = folder
        try Program.run("cluster", "up", "--folder", folder, "--nodes", "\(nodes)")
        let text = try Program.run("cluster", "status", "--folder", folder, "--json")
        let report = try JSONDecoder().decode(Report.self, from: Data(text.utf8))
        for member in report.members {
            let token = try String(contentsOfFile: member.data + "/node.token", encoding: .utf8)
            operators.append(
                LoopbackCaller(
                    port: UInt16(member.api.port ?? 0),
                    token: token.trimmingCharacters(in: .whitespacesAndNewlines)
                )
            )
            if let process = member.process { processes.append(process) }
        }
        first = report.members[0].data
        let account = try BenchmarkAccount(port: UInt16(report.members[0].api.port ?? 0))
        seller = account.caller
        try Program.run("cluster", "fund", account.address, "--ether", "20", "--folder", folder)
    }

    deinit {
        // A cluster that does not come down is found by 'stoa cluster status'.
        _ = try? Program.run("cluster", "down", "--folder", folder)
    }

    /// Sells through another node from now on, as the same account; only that node is asked then.
    func sell(through port: UInt16, token: String) throws {
        operators = [LoopbackCaller(port: port, token: token)]
        seller = try BenchmarkAccount(port: port).caller
    }

    /// Lists, and waits until every node shows it.
    func list() throws {
        let body = Content(
            description: "Steel frame, 21 gears.",
            identifier: Self.identifier(listings.count)
        )
        let operation: Operation =
            try seller
            .call("POST", "/v1/listings", body: body, key: UUID().uuidString).read()
        let listing = operation.subject ?? ""
        try finish(operation)
        for node in operators {
            try wait("the listing") { try shows("21 gears", of: listing, node) }
        }
        listings.append(listing)
    }

    /// Changes the text of a listing; nothing of it goes to the chain.
    func edit(_ listing: String, _ description: String) throws -> Operation {
        let number = listings.firstIndex(of: listing) ?? 0
        return try seller.call(
            "PUT",
            "/v1/listings/\(listing)",
            body: Content(description: description, identifier: Self.identifier(number)),
            key: UUID().uuidString
        ).read()
    }

    private static func identifier(_ number: Int) -> String { "frame number WSB 447\(number)" }

    /// Waits until an operation is done.
    func finish(_ operation: Operation) throws {
        try wait("operation \(operation.id)") {
            let now: Operation = try seller.call("GET", "/v1/operations/\(operation.id)").read()
            if now.state == "failed" { throw BenchmarkFault.ended("operation \(now.id)") }
            return now.state == "done"
        }
    }

    /// Whether a node shows a listing with these words.
    func shows(_ words: String, of listing: String, _ node: LoopbackCaller) throws -> Bool {
        let answer = try node.call("GET", "/v1/listings/\(listing)")
        return answer.status == 200 && answer.body.range(of: Data(words.utf8)) != nil
    }

    /// What another node has to be told to trade here and link to the first node.
    func settingsOfPeer() throws -> String {
        let text = try String(contentsOfFile: first + "/stoa.yaml", encoding: .utf8)
        let chain = text.split(separator: "\n").drop { $0 != "chain:" }.dropFirst()
            .prefix { $0.hasPrefix(" ") }
        let bootstrap = "bootstrap: [\"\(try NodeUnderTest.address(of: first))\"]"
        return (["chain:"] + chain + [bootstrap[...]]).joined(separator: "\n")
    }

    private func wait(_ what: String, until isSo: () throws -> Bool) throws {
        let clock = ContinuousClock()
        let start = clock.now
        while try !isSo() {
            guard clock.now - start < .seconds(120) else { throw BenchmarkFault.notInTime(what) }
            usleep(50_000)
        }
    }
}
