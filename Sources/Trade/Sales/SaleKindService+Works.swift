package import Client
package import Market

/// The words about a digital work whose key comes with the payment.
extension SaleKindService {
    package static var workKey: Sentence { Sentence("preview.workKey") }

    package func workRelease(under terms: SaleTerms) -> Sentence? { nil }

    package func consequence(ofWork consequence: [Sentence]) -> [Sentence] { consequence }

    package static func warningWithoutKey(of move: String) -> Sentence? { nil }
}
