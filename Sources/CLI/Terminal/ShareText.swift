import ArgumentParser
import Texts

/// A share as typed, such as `50%` or `2.5%`.
///
/// Digits alone are refused: `50` could mean 50 % or 50 basis points.
struct ShareText: ExpressibleByArgument, Hashable, Sendable {
    let basisPoints: UInt64

    init?(argument: String) {
        let text = argument.filter { $0 != " " }
        guard text.hasSuffix("%") else { return nil }
        let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.count <= 2, (1...6).contains(whole.count),
            parts.count == 1 || (1...2).contains(parts[1].count),
            parts.joined().utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        let fraction = parts.count == 2 ? String(parts[1]) : ""
        let digits = whole + fraction + String(repeating: "0", count: 2 - fraction.count)
        guard let points = UInt64(digits) else { return nil }
        basisPoints = points
    }

    /// Refuses more than the whole, for a share of a price that is divided.
    func checkPart() throws {
        guard basisPoints <= 10_000 else {
            throw ValidationError("--share must be from 0% to 100%.")
        }
    }

    init(basisPoints: UInt64) { self.basisPoints = basisPoints }

    var defaultValueDescription: String { Self.text(basisPoints) }

    /// Formats basis points as they are typed, such as `50%`.
    static func typed(_ basisPoints: UInt64) -> String {
        text(basisPoints).replacing(" ", with: "")
    }

    /// Formats basis points, such as `50 %` or `2.5 %`.
    static func text(_ basisPoints: UInt64) -> String { NumberWords.percent(basisPoints) }
}
