import Ethereum
import Keys
import Market

extension ABIValueReader {
    mutating func time() throws(ABIError) -> ChainTime {
        ChainTime(seconds: try small("a time"))
    }

    /// Reads a time that anybody could choose; one beyond 2⁶⁴ − 1 becomes that.
    mutating func clampedTime() throws(ABIError) -> ChainTime {
        ChainTime(seconds: UInt64(clamping: try amount().units))
    }

    /// Reads a number of whole seconds.
    mutating func duration() throws(ABIError) -> Duration {
        guard let seconds = Int64(exactly: try small("a duration"))
        else { throw .meaningless("a duration") }
        return .seconds(seconds)
    }

    mutating func share() throws(ABIError) -> SellerShare {
        guard let share = SellerShare(basisPoints: try small("a share"))
        else { throw .meaningless("a share") }
        return share
    }

    /// Reads an address; the zero address means none and gives `nil`.
    mutating func party() throws(ABIError) -> Address? {
        let address = try address()
        return address == .zero ? nil : address
    }

    mutating func currency() throws(ABIError) -> Currency {
        Currency(address: try address())
    }
}
