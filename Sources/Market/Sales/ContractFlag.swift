/// A flag of a contract, by its name in the API: a number with one bit, that of the case's place.
package protocol ContractFlag: RawRepresentable<String>, CaseIterable, Hashable, Sendable
where AllCases == [Self] {}

extension ContractFlag {
    package var name: String { rawValue }

    /// The number in the contract.
    package var number: UInt64 {
        guard let place = Self.allCases.firstIndex(of: self) else {
            preconditionFailure("every case is one of all")
        }
        return 1 << UInt64(place)
    }

    package init?(number: UInt64) {
        let place = number.trailingZeroBitCount
        guard number.nonzeroBitCount == 1, place < Self.allCases.count else { return nil }
        self = Self.allCases[place]
    }
}
