package import Client
package import Market

/// The words of a sale by escrow about a digital work: its seller releases the key by the move that
/// declares the handover.
///
/// Source: Docs/protocol.md, section 17.2.
extension EscrowSales {
    package static let workKey = Sentence("escrow.workKey")

    package func workRelease(under terms: SaleTerms) -> Sentence? {
        guard let terms = Self.terms(in: terms) else { return nil }
        return Sentence("escrow.releaseDue", ["ship": terms.shipWindow.value])
    }

    package func consequence(ofWork consequence: [Sentence]) -> [Sentence] {
        guard let handover = consequence.first(where: { $0.code == "escrow.transfer" }) else {
            return consequence
        }
        // The warning against a handover that did not happen is for goods: the node has the key.
        return [
            Sentence("escrow.release", ["window": handover.values["window"] ?? ""]),
            Sentence("escrow.releaseSends"),
        ]
    }

    package static func warningWithoutKey(of move: String) -> Sentence? {
        move == EscrowMoveName.confirm.rawValue ? Sentence("escrow.confirmNoKey") : nil
    }
}
