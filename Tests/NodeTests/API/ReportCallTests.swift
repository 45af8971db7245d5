import Client
import Support
import Testing

/// The calls about reports, on whole nodes without a chain.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ReportCallTests {
    @Test func `a report reaches the account named by the operator`() async throws {
        let folder = try TemporaryFolder()
        let box = AddressBox()
        try await TestNode.run(in: folder.path) { node in
            await box.keep(try await node.signIn("ana").account.address)
        }
        let flags = ["reports.account": await box.address]
        try await TestNode.run(in: folder.path, flags: flags) { node in
            let (ana, bo) = (try await node.signIn("ana"), try await node.signIn("bo"))
            let sent = try await node.asking(bo) { client in
                // A profile is made by the node's own look at its accounts.
                try await waitFor {
                    do {
                        return try await client.report(ReportDraft(text: "The node is slow."))
                    } catch let problem as Problem
                        where problem.code == ProblemCode.unknownRecipient.rawValue
                    {
                        return nil
                    }
                }
            }
            #expect(sent.text == "The node is slow." && sent.sender == bo.account.address)
            let got = try await node.asking(ana) { client in
                try await waitFor {
                    let page = try await client.reports()
                    return page.items.isEmpty ? nil : page
                }
            }
            #expect(got.isLast && got.items.map(\.text) == ["The node is slow."])
            #expect(got.items.map(\.sender) == [bo.account.address])
            let own = try await node.asking(bo) { try await $0.reports(sent: true) }
            #expect(own.items.map(\.id) == [sent.id])
        }
    }
}

/// Keeps an address beyond the end of a node.
private actor AddressBox {
    private(set) var address = ""

    func keep(_ address: String) { self.address = address }
}
