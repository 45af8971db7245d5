/// A parser of a stranger's bytes, and what holds of all that it takes.
///
/// libFuzzer runs it on bytes of its own making (`Scripts/fuzz`), `CorpusTests` on the files of
/// its corpus.
struct FuzzTarget: Sendable {
    /// Names its folder in `corpus`.
    let name: String
    /// The length of the longest input that is tried.
    let byteCountMax: Int
    /// Parses an input, and throws a ``FuzzFault`` if a rule is broken.
    ///
    /// Returns whether the parser takes the input.
    let takes: @Sendable ([UInt8]) throws -> Bool

    init(
        _ name: String,
        byteCountMax: Int = 4_096,
        takes: @escaping @Sendable ([UInt8]) throws -> Bool
    ) {
        (self.name, self.byteCountMax, self.takes) = (name, byteCountMax, takes)
    }

    /// All targets; a new one needs a seed in ``FuzzSeeds``.
    static let all = [
        record, payload, mail, home, vault,
        yamux, negotiation, certificate, identify, multiaddr,
        rpc, exchange, blob,
        rlp, abi, answer,
        keystore, picture,
    ]
}

/// A rule of a parser that an input breaks.
struct FuzzFault: Error, CustomStringConvertible {
    let description: String
}

/// Throws a ``FuzzFault`` if a rule does not hold.
func hold(_ isHeld: Bool, _ rule: String) throws(FuzzFault) {
    guard isHeld else { throw FuzzFault(description: rule) }
}
