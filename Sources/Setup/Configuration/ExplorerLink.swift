import Foundation
package import Keys

/// The address of a page that shows a transaction of the chain, as the setting `chain.explorer`
/// gives it: a URL in which `{transaction}` is replaced by the transaction's hash.
package struct ExplorerLink: Equatable, Sendable {
    private static let mark = "{transaction}"
    private static let bytesMax = 512

    private let before: String
    private let after: String

    /// Takes a template; `nil` if it is not a URL of http or https, or does not contain the mark
    /// exactly once.
    package init?(template: String) {
        let parts = template.components(separatedBy: Self.mark)
        guard parts.count == 2, template.utf8.count <= Self.bytesMax,
            template.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            parts.allSatisfy({ !$0.contains("{") && !$0.contains("}") && !$0.contains("\"") }),
            let url = URLComponents(string: parts.joined(separator: "0x00")),
            ["http", "https"].contains(url.scheme?.lowercased()),
            url.host?.isEmpty == false, url.user == nil, url.password == nil,
            // A mark in the host would send every hash to another machine.
            let place = URLComponents(string: parts[0]), place.host == url.host,
            parts[0].dropFirst(8).contains(where: { "/?#".contains($0) })
        else { return nil }
        (before, after) = (parts[0], parts[1])
    }

    /// The text that it was taken from.
    package var template: String { before + Self.mark + after }

    /// Returns the address of the page of a transaction.
    package func url(of transaction: Bytes32) -> String { before + transaction.hex + after }
}
