import Glibc

/// Checks LMDB's data file for truncation before LMDB maps it.
///
/// LMDB maps a file of any length, and an access to a missing page ends the process with SIGBUS. A
/// valid file can be shorter than its header says, if pages at its end were allocated and freed in
/// one transaction. So if the file is short, every page in use is checked.
///
/// Source: LMDB 0.9.24, `mdb.c`: `MDB_page`, `MDB_meta`, `MDB_db`, `MDB_node`.
struct DataFile: ~Copyable {
    static let pageByteCount = sysconf(Int32(_SC_PAGESIZE))

    private static let magic: UInt32 = 0xBEEF_C0DE
    private static let version: UInt32 = 1
    private static let headerByteCount = 16
    private static let noPage = UInt64.max

    private let path: String
    private let file: Int32
    private let byteCount: Int

    /// Refuses a truncated, empty or foreign data file, and extends the file by pages never
    /// written, which readers never look at.
    ///
    /// - Throws: ``StorageError/corrupt(_:)``, or the system's error for the file.
    static func checkLength(folder: String, isReadOnly: Bool = false) throws(StorageError) {
        let path = folder + "/data.mdb"
        let descriptor = unsafe open(path, (isReadOnly ? O_RDONLY : O_RDWR) | O_CLOEXEC)
        if descriptor < 0 {
            if isReadOnly { throw .notReadable(folder: folder) }
            if errno == ENOENT { return }
            throw systemError(errno, .open, folder: folder, file: path)
        }
        let file = DataFile(path: path, file: descriptor)
        let header = try file.newestHeader()
        let needed = Int(header.lastPage + 1) * pageByteCount
        if file.byteCount >= needed { return }
        var wanted = header.roots
        var seen: Set<UInt64> = []
        while let page = wanted.popLast() {
            guard seen.insert(page).inserted else {
                throw .corrupt(.page(.open, code: Int32(truncatingIfNeeded: page)))
            }
            wanted += try file.pages(below: page)
        }
        if !isReadOnly, ftruncate(file.file, needed) != 0 {
            throw systemError(errno, .open, folder: folder)
        }
    }

    private init(path: String, file: Int32) {
        (self.path, self.file) = (path, file)
        byteCount = lseek(file, 0, SEEK_END)
    }

    deinit {
        close(file)
    }

    private struct Header {
        let transaction: UInt64
        let lastPage: UInt64
        let roots: [UInt64]
    }

    private func newestHeader() throws(StorageError) -> Header {
        var newest: Header?
        for page in 0..<2 {
            guard let bytes = bytes(at: page * Self.pageByteCount, count: 160) else {
                throw .corrupt(
                    .truncated(
                        file: path,
                        byteCount: byteCount,
                        neededByteCount: 2 * Self.pageByteCount
                    )
                )
            }
            let meta = bytes[Self.headerByteCount...]
            guard number(UInt32.self, in: meta, at: 0) == Self.magic,
                number(UInt32.self, in: meta, at: 4) == Self.version,
                number(UInt32.self, in: meta, at: 24) == UInt32(Self.pageByteCount)
            else { throw .corrupt(.notAStore(file: path)) }
            let header = Header(
                transaction: number(UInt64.self, in: meta, at: 128),
                lastPage: number(UInt64.self, in: meta, at: 120),
                roots: [24, 72]
                    .map { number(UInt64.self, in: meta, at: $0 + 40) }
                    .filter { $0 != Self.noPage }
            )
            if header.transaction >= newest?.transaction ?? 0 { newest = header }
        }
        guard let newest, newest.lastPage < UInt64(Int.max / Self.pageByteCount) else {
            throw .corrupt(.notAStore(file: path))
        }
        return newest
    }

    /// Returns the pages that a page of a tree refers to; checks its overflow pages.
    private func pages(below page: UInt64) throws(StorageError) -> [UInt64] {
        let bytes = try bytes(ofPage: page, count: 1)
        let flags = number(UInt16.self, in: bytes, at: 10)
        let lower = Int(number(UInt16.self, in: bytes, at: 12))
        guard number(UInt64.self, in: bytes, at: 0) == page, flags & 0x03 != 0,
            (Self.headerByteCount...Self.pageByteCount).contains(lower)
        else { throw .corrupt(.page(.open, code: Int32(truncatingIfNeeded: page))) }
        var below: [UInt64] = []
        for index in stride(from: Self.headerByteCount, to: lower, by: 2) {
            let node = Int(number(UInt16.self, in: bytes, at: index))
            guard node + 8 <= Self.pageByteCount else {
                throw .corrupt(.page(.open, code: Int32(truncatingIfNeeded: page)))
            }
            below +=
                try flags & 0x01 != 0
                ? [branchTarget(bytes, node)] : leafTargets(bytes, node)
        }
        return below
    }

    private func branchTarget(_ bytes: [UInt8], _ node: Int) -> UInt64 {
        UInt64(number(UInt32.self, in: bytes, at: node))
            | UInt64(number(UInt16.self, in: bytes, at: node + 4)) << 32
    }

    /// Checks the overflow pages of a leaf's entry; returns the root page if the entry is a table.
    private func leafTargets(_ bytes: [UInt8], _ node: Int) throws(StorageError) -> [UInt64] {
        let dataByteCount = Int(number(UInt32.self, in: bytes, at: node))
        let flags = number(UInt16.self, in: bytes, at: node + 4)
        let data = node + 8 + Int(number(UInt16.self, in: bytes, at: node + 6))
        if flags & 0x01 != 0, data + 8 <= bytes.count {
            let first = number(UInt64.self, in: bytes, at: data)
            let pages =
                (Self.headerByteCount + dataByteCount + Self.pageByteCount - 1)
                / Self.pageByteCount
            _ = try self.bytes(ofPage: first, count: pages)
        } else if flags & 0x02 != 0, data + 48 <= bytes.count {
            let root = number(UInt64.self, in: bytes, at: data + 40)
            return root == Self.noPage ? [] : [root]
        }
        return []
    }

    private func bytes(ofPage page: UInt64, count: Int) throws(StorageError) -> [UInt8] {
        let needed = (Int(clamping: page) &+ count).multipliedReportingOverflow(
            by: Self.pageByteCount
        )
        guard !needed.overflow, needed.partialValue <= byteCount, needed.partialValue > 0,
            let bytes = bytes(at: Int(page) * Self.pageByteCount, count: Self.pageByteCount)
        else {
            throw .corrupt(
                .truncated(
                    file: path,
                    byteCount: byteCount,
                    neededByteCount: needed.overflow ? .max : needed.partialValue
                )
            )
        }
        return bytes
    }

    private func bytes(at offset: Int, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return unsafe pread(file, &bytes, count, offset) == count ? bytes : nil
    }

    /// Reads a number in the machine's byte order, as LMDB writes it: here little-endian.
    private func number<Number: FixedWidthInteger>(
        _: Number.Type,
        in bytes: some RandomAccessCollection<UInt8>,
        at offset: Int
    ) -> Number {
        var number: Number = 0
        let start = bytes.index(bytes.startIndex, offsetBy: offset)
        let end = bytes.index(start, offsetBy: Number.bitWidth / 8)
        for byte in bytes[start..<end].reversed() { number = number << 8 | Number(byte) }
        return number
    }
}
