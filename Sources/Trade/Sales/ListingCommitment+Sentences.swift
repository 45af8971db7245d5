import Client
import Market

extension ListingCommitment {
    /// The sessions of the promised curriculum, each as a sentence.
    private var promisedSessions: [Sentence] {
        guard !curriculum.isEmpty else {
            return [Sentence("preview.promisedNoCurriculum")]
        }
        let sessions = curriculum.enumerated().map { number, session in
            let values = ["number": "\(number + 1)", "title": session.title]
            guard !session.content.isEmpty else {
                return Sentence("preview.promisedSession", values)
            }
            return Sentence(
                "preview.promisedSessionContent",
                values.merging(["content": session.content]) { $1 }
            )
        }
        return [Sentence("preview.promisedCurriculum")] + sessions
    }

    /// Returns the promised values of fields that the seller has changed.
    func sentences(about changes: Set<PayloadField>) -> [Sentence] {
        [Sentence("preview.changed")]
            + changes.sorted { $0.rawValue < $1.rawValue }.flatMap { field -> [Sentence] in
                switch field {
                case .title: [Sentence("preview.promisedTitle", ["title": title])]
                case .description:
                    [
                        Sentence("preview.promisedDescription", ["description": description])
                    ]
                case .identifier:
                    [
                        Sentence("preview.promisedIdentifier", ["identifier": identifier.text])
                    ]
                case .delivery:
                    [
                        Sentence(
                            "preview.promisedDelivery",
                            ["method": "delivery.\(delivery.method.rawValue)"]
                        )
                    ]
                case .media: [Sentence("preview.promisedMedia")]
                case .terms: [Sentence("preview.promisedTerms")]
                case .curriculum: promisedSessions
                default: []
                }
            }
    }
}
