import Keys
import Market
import Support
import Testing

struct VaultSegmentTests {
    private let key = VaultKey(of: testKey(1))
    private let account = testKey(1).address
    private let device = Bytes32(repeating: 5)

    private func entries(_ count: Int, bytes: Int = 40) throws -> [VaultEntry] {
        try (0..<count).map { index in
            try VaultEntry(
                section: .favourites,
                name: Array("name \(index)".utf8),
                value: index % 5 == 0 ? nil : [UInt8](repeating: 1, count: bytes),
                time: Timestamp(milliseconds: UInt64(index)),
                device: device
            )
        }
    }

    private func segment(_ part: VaultLog.Part) -> VaultSegment {
        VaultSegment(part, of: account, network: "test", key: key, signer: nil)
    }

    @Test func `a segment opens to the entries sealed in it`() throws {
        var log = VaultLog(device: device)
        let all = try entries(9)
        let part = try #require(log.append(all).first)
        let sealed = segment(part)
        let read = try VaultSegment(sealed.bytes)
        #expect(read == sealed && read.number == 1 && read.base == 1 && read.device == device)
        #expect(try read.open(with: key, network: "test") == part.entries)
        #expect(VaultContents(part.entries) == VaultContents(all))
    }

    /// - From people: a vault segment that was changed, or is of another key or network → it does
    ///   not open
    @Test func `a segment does not open after a wrong key, network or changed byte`() throws {
        var log = VaultLog(device: device)
        let sealed = segment(try #require(log.append(try entries(2)).first))
        #expect(throws: VaultFault.notOpened) {
            try sealed.open(with: VaultKey(of: testKey(2)), network: "test")
        }
        #expect(throws: VaultFault.notOpened) { try sealed.open(with: key, network: "other") }
        for index in sealed.bytes.indices {
            var spoilt = sealed.bytes
            spoilt[index] ^= 1
            #expect(throws: VaultFault.self, "byte \(index)") {
                try VaultSegment(spoilt).open(with: key, network: "test")
            }
        }
    }

    @Test func `refuses bytes that are not a segment`() throws {
        var log = VaultLog(device: device)
        let bytes = segment(try #require(log.append(try entries(2)).first)).bytes
        #expect(throws: VaultFault.malformed) { try VaultSegment([]) }
        #expect(throws: VaultFault.version(3)) { try VaultSegment([3] + bytes.dropFirst()) }
        #expect(throws: VaultFault.malformed) { try VaultSegment(Array(bytes.prefix(96))) }
        let long = bytes + [UInt8](repeating: 0, count: VaultSegment.byteCountMax)
        #expect(throws: VaultFault.malformed) { try VaultSegment(long) }
        var reversed = bytes
        reversed[68] = 2
        #expect(throws: VaultFault.malformed) { try VaultSegment(reversed) }
        var far = bytes
        far[53] = 1
        #expect(throws: VaultFault.malformed) { try VaultSegment(far) }
    }

    /// - From peers: a segment in another device's log → refused without that device's signature
    @Test func `accepts only its own device's signature on a segment`() throws {
        let phone = testKey(3)
        var log = VaultLog(device: DeviceCertificate.slot(of: phone.publicKey))
        let part = try #require(log.append(try entries(2)).first)
        #expect(!segment(part).isSigned)
        func sealed(by signer: PrivateKey) -> VaultSegment {
            VaultSegment(part, of: account, network: "test", key: key, signer: signer)
        }
        let signed = sealed(by: phone)
        let read = try VaultSegment(signed.bytes)
        #expect(read.isSigned && !sealed(by: testKey(4)).isSigned)
        #expect(try read.open(with: key, network: "test") == part.entries)
        for index in signed.bytes.indices {
            var spoilt = signed.bytes
            spoilt[index] ^= 1
            #expect((try? VaultSegment(spoilt).isSigned) != true, "byte \(index)")
        }
    }

    @Test(arguments: 0..<64 as Range<UInt64>)
    func `reads a segment only in canonical form`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var bytes = VaultCoding.bytes(of: VaultContents(try entries(12)).entries())
        #expect(try VaultCoding.bytes(of: VaultCoding.entries(bytes)) == bytes)
        random.spoil(&bytes)
        guard let read = try? VaultCoding.entries(bytes) else { return }
        #expect(VaultCoding.bytes(of: read) == bytes, "seed \(seed)")
    }

    @Test func `splits entries that do not fit into one segment`() throws {
        var log = VaultLog(device: device)
        let all = try entries(400, bytes: 500)
        let parts = log.append(all)
        #expect(parts.map(\.number) == Array(1...UInt64(parts.count)) && parts.count > 4)
        #expect(VaultContents(parts.flatMap(\.entries)) == VaultContents(all))
        for part in parts {
            let sealed = segment(part)
            #expect(sealed.bytes.count <= VaultSegment.byteCountMax)
            #expect(try VaultSegment(sealed.bytes).open(with: key, network: "test") == part.entries)
        }
    }

    @Test func `rewrites a long log with only the current entries`() throws {
        var log = VaultLog(device: device)
        var contents = VaultContents()
        let other = try VaultEntry(
            section: .cart,
            name: [1],
            value: [],
            time: Timestamp(milliseconds: 1),
            device: Bytes32(repeating: 6)
        )
        contents.merge([other])
        for time in 0..<100 {
            let entry = try VaultEntry(
                section: .favourites,
                name: [UInt8(time % 7 + 1)],
                value: [UInt8(time)],
                time: Timestamp(milliseconds: UInt64(time)),
                device: device
            )
            contents.merge([entry])
            _ = log.append([entry])
            #expect(log.isLong(contents) == (time >= 68))
        }
        var adopting = log
        let parts = log.compact(contents)
        #expect(parts.map(\.number) == [101] && parts.map(\.base) == [101])
        #expect(parts.flatMap(\.entries) == contents.entries { $0.device == device })
        #expect(!log.isLong(contents) && log.base == 101 && log.last == 101)
        let all = adopting.compact(contents, adopting: [other.device])
        #expect(all.flatMap(\.entries) == contents.entries())
        // What it took over counts as what it says.
        var large = VaultContents()
        for number in 0..<4_000 {
            let entry = try VaultEntry(
                section: .favourites,
                name: Array("\(number)".utf8),
                value: [UInt8](repeating: 1, count: 512),
                time: Timestamp(milliseconds: 1),
                device: other.device
            )
            large.merge([entry])
        }
        let whole = VaultLog(device: device, last: 80, base: 1)
        #expect(whole.isLong(large) && !whole.isLong(large, adopting: [other.device]))
    }

    @Test func `only the last part of a compaction replaces the earlier segments`() throws {
        var log = VaultLog(device: device, last: 9, base: 3)
        let parts = log.compact(VaultContents(try entries(400, bytes: 500)))
        #expect(parts.dropLast().allSatisfy { $0.base == 3 } && parts.last?.base == 10)
        #expect(parts.first?.number == 10 && log.last == parts.last?.number)
        var empty = VaultLog(device: device, last: 9, base: 3)
        let part = try #require(empty.compact(VaultContents()).first)
        #expect(part.entries.isEmpty && part.base == 10)
    }
}
