import Foundation
import Keys

/// A notification of a subscription to new blocks.
///
/// Source: the Ethereum clients' publish and subscribe interface (`eth_subscribe`).
struct HeadNotification {
    /// The maximum number of bytes of a subscription's id.
    private static let idBytesMax = 128

    let subscription: String
    private let data: Data

    /// Decodes a notification; `nil` if it is not one of a subscription.
    init?(_ bytes: [UInt8]) {
        let data = Data(bytes)
        guard let outline = try? JSONDecoder().decode(Message<Ignored>.self, from: data),
            outline.method == "eth_subscription"
        else { return nil }
        (self.data, subscription) = (data, outline.params.subscription)
    }

    /// Decodes what is announced, which takes most of the time.
    func head() -> NotifiedHead {
        do {
            let message = try JSONDecoder().decode(Message<AnnouncedBlock>.self, from: data)
            return .block(message.params.result)
        } catch {
            return .unreadable("an announced block that is not a header")
        }
    }

    /// Returns the id of the subscription that an answer grants.
    static func subscription(in answer: [UInt8]) -> String? {
        let granted = try? JSONDecoder().decode(Granted.self, from: Data(answer))
        return granted.flatMap { $0.result.utf8.count <= idBytesMax ? $0.result : nil }
    }

    private struct Message<Content: Decodable>: Decodable {
        let method: String
        let params: Parameters

        struct Parameters: Decodable {
            let subscription: String
            let result: Content
        }
    }

    private struct Ignored: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    private struct Granted: Decodable {
        let result: String
    }
}
