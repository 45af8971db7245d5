package import Market
import Storage

/// The anchored lane's table with its values as they lie on the disk.
package enum RawAnchoredRecords: Table {
    package typealias Key = RecordID
    package typealias Value = [UInt8]
    package static let name = "anchored-records"
}

/// The open lane's table with its values as they lie on the disk.
package enum RawOpenRecords: Table {
    package typealias Key = RecordID
    package typealias Value = [UInt8]
    package static let name = "open-records"
}
