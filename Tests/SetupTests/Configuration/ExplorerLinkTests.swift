import Keys
import Setup
import Testing

/// Links to pages that show transactions.
struct ExplorerLinkTests {
    @Test(arguments: [
        "https://etherscan.io/tx/{transaction}", "http://127.0.0.1:4000/?tx={transaction}&tab=logs",
        "https://explorer.example/#/{transaction}",
    ])
    func `replaces the placeholder with the transaction's hash`(template: String) throws {
        let link = try #require(ExplorerLink(template: template))
        let hash = Bytes32(repeating: 0xAB)
        #expect(link.url(of: hash) == template.replacing("{transaction}", with: hash.hex))
    }

    /// - From commands: an explorer's address that is not a URL or has no place for the transaction
    ///   → exit 4
    @Test(arguments: [
        "", "{transaction}", "https://etherscan.io/tx/", "https://etherscan.io/tx/{hash}",
        "https://etherscan.io/{transaction}/{transaction}", "ftp://etherscan.io/{transaction}",
        "javascript:alert({transaction})", "https://{transaction}.example/",
        "https:///{transaction}",
        "https://user:secret@etherscan.io/{transaction}", "https://etherscan.io/ {transaction}",
        "https://etherscan.io/tx/{transaction}{", "https://etherscan.io/\u{202E}{transaction}",
        "https://etherscan.io/tx/\"{transaction}", "https://etherscan.io:{transaction}/",
    ])
    func `refuses a template without a placeholder for the transaction`(template: String) {
        #expect(ExplorerLink(template: template) == nil)
    }
}
