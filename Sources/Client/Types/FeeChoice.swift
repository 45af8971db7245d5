/// How the fees of a call are chosen.
public struct FeeChoice: Hashable, Sendable {
    /// How soon the transactions should be mined, which determines their fee.
    public enum Speed: String, CaseIterable, Codable, Sendable {
        case slow, normal, fast
    }

    public var speed: Speed
    /// The maximum of all fees together, in wei; `nil` for the fee that the preview shows.
    public var ceiling: String?

    public init(speed: Speed = .normal, ceiling: String? = nil) {
        (self.speed, self.ceiling) = (speed, ceiling)
    }
}
