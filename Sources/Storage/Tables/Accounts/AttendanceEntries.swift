package import Keys

/// A teacher's data about the students of a round, sealed, by the teacher's account, the list and
/// the sealed name of the student.
package enum AttendanceEntries: Table {
    package typealias Key = CompositeKey<CompositeKey<Address, Bytes32>, Bytes32>
    package typealias Value = [UInt8]
    package static let name = "attendance"
}
