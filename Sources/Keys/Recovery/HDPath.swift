/// The derivation path from a seed to one key.
///
/// Source: BIP-32, "The key tree"; BIP-44 for the meaning of the levels.
package struct HDPath: Hashable, Sendable {
    /// The bit that makes a step hardened: a hardened key does not reveal its siblings.
    package static let hardened: UInt32 = 1 << 31
    private static let stepsMax = 32

    package let steps: [UInt32]

    /// Reads `m/44'/60'/0'/0/0`; `h` and `H` mean the same as `'`.
    ///
    /// - Throws: ``HDKeyError/path(step:)`` with the number of the step that cannot be read.
    package init(_ text: String) throws(HDKeyError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.first == "m", parts.count <= Self.stepsMax + 1 else { throw .path(step: 0) }
        var steps: [UInt32] = []
        for (index, part) in parts.dropFirst().enumerated() {
            let isHardened = part.last.map { "'hH".contains($0) } ?? false
            let digits = isHardened ? part.dropLast() : part
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = UInt32(digits), number < Self.hardened
            else { throw .path(step: index + 1) }
            steps.append(isHardened ? number | Self.hardened : number)
        }
        self.steps = steps
    }

    private init(steps: [UInt32]) {
        self.steps = steps
    }

    /// Returns the path of account `index` in Ethereum wallets: `m/44'/60'/0'/0/index`.
    ///
    /// - Throws: ``HDKeyError/path(step:)`` for an index of 2³¹ or more.
    package static func account(_ index: UInt32) throws(HDKeyError) -> HDPath {
        guard index < hardened else { throw .path(step: 5) }
        return HDPath(steps: [44 | hardened, 60 | hardened, hardened, 0, index])
    }
}
