import Support
import Testing

@testable import GossipProtocol

struct AdmissionTableTests {
    private static func ip4(_ last: UInt8, subnet: UInt8 = 113) -> IPAddress? {
        IPAddress(bytes: [203, 0, subnet, last])
    }

    /// Admits a socket and makes it a link; `false` if either is refused.
    private static func link(_ source: IPAddress?, in table: inout AdmissionTable) -> Bool {
        guard case .admitted(let id, _) = table.begin(from: source) else { return false }
        return table.open(id) == nil
    }

    @Test func `silent sockets displace only those of their own address`() {
        var table = AdmissionTable(limits: LinkLimits())
        let honest = table.begin(from: Self.ip4(1, subnet: 9))
        var begun: [UInt64] = []
        for _ in 0..<100 {
            guard case .admitted(let id, let evicted) = table.begin(from: Self.ip4(7)) else {
                Issue.record("a handshake was refused")
                continue
            }
            begun.append(id)
            #expect(evicted == (begun.count > 8 ? begun[begun.count - 9] : nil))
        }
        #expect(table.handshakeCount == 9)
        guard case .admitted(let id, nil) = honest else { return #expect(Bool(false)) }
        let isOpen = table.open(id) == nil
        #expect(isOpen)
    }

    @Test func `the address with the most handshakes loses one when all are taken`() {
        var table = AdmissionTable(limits: LinkLimits())
        var first: UInt64?
        // Eight addresses of eight subnets with eight silent sockets each.
        for subnet in 0..<8 as Range<UInt8> {
            for _ in 0..<8 {
                guard case .admitted(let id, nil) = table.begin(from: Self.ip4(1, subnet: subnet))
                else { return #expect(Bool(false), "refused before all places were taken") }
                if first == nil { first = id }
            }
        }
        for last in 0..<58 as Range<UInt8> {
            // Each honest peer has an address of its own.
            let decision = table.begin(from: Self.ip4(last, subnet: 100 + last))
            guard case .admitted(let id, let evicted) = decision else {
                return #expect(Bool(false), "an honest peer was refused")
            }
            #expect(last > 0 || evicted == first)
            let isOpen = table.open(id) == nil
            #expect(isOpen)
        }
    }

    @Test func `limits the handshakes of one subnet`() {
        var table = AdmissionTable(limits: LinkLimits())
        for last in 0..<40 as Range<UInt8> { _ = table.begin(from: Self.ip4(last)) }
        #expect(table.handshakeCount == 16)
    }

    @Test func `counts one customer's many IPv6 addresses as one`() {
        var limits = LinkLimits()
        limits.linksOfOneAddressMax = 2
        var table = AdmissionTable(limits: limits)
        for last in 1...2 {
            let isLinked = Self.link(IPAddress(ip6: "2001:db8:1:1::\(last)"), in: &table)
            #expect(isLinked)
        }
        let third = table.begin(from: IPAddress(ip6: "2001:db8:1:1::3"))
        #expect(third == .refused(.linksOfOneAddress))
        let isLinked = Self.link(IPAddress(ip6: "2001:db8:1:2::1"), in: &table)
        #expect(isLinked)
    }

    @Test func `handshakes that finish together exceed no limit of links`() {
        var limits = LinkLimits()
        limits.linksOfOneAddressMax = 2
        var table = AdmissionTable(limits: limits)
        let begun = (0..<4).compactMap { _ -> UInt64? in
            guard case .admitted(let id, _) = table.begin(from: Self.ip4(1)) else { return nil }
            return id
        }
        var opened: [Bool] = []
        for id in begun { opened.append(table.open(id) == nil) }
        #expect(opened == [true, true, false, false])
    }

    @Test func `a displaced handshake is refused when it finishes`() {
        var table = AdmissionTable(limits: LinkLimits())
        guard case .admitted(let first, nil) = table.begin(from: Self.ip4(7)) else {
            return #expect(Bool(false))
        }
        for _ in 0..<8 { _ = table.begin(from: Self.ip4(7)) }
        let refusal = table.open(first)
        #expect(refusal == .handshakes)
    }

    @Test func `strangers' handshakes leave room for this node's own links`() {
        var limits = LinkLimits()
        limits.linksMax = 4
        limits.linksDialledReserve = 2
        limits.linksOfOneAddressMax = 4
        var table = AdmissionTable(limits: limits)
        for last in 1...60 { _ = table.begin(from: Self.ip4(UInt8(last), subnet: UInt8(last))) }
        for _ in 0..<4 {
            let own = table.begin(from: nil)
            #expect(own != .refused(.links))
        }
        let tooMany = table.begin(from: nil)
        #expect(tooMany == .refused(.links))
    }

    /// - From peers: leases in mail that lead to sockets that hang → few are dialled at a time, and
    ///   none in the slots kept for the node's own dials
    @Test func `dials to reported addresses are few and use no reserved place`() {
        var limits = LinkLimits()
        limits.linksMax = 4
        limits.linksDialledReserve = 2
        limits.reportedDialsMax = 3
        var table = AdmissionTable(limits: limits)
        // Accepted links use all their places; the told dial hangs in its handshake.
        for last in 1...2 as ClosedRange<UInt8> {
            let isLinked = Self.link(Self.ip4(last, subnet: last), in: &table)
            #expect(isLinked)
        }
        var told: [UInt64] = []
        for _ in 0..<3 {
            guard case .admitted(let id, nil) = table.beginReported() else { continue }
            told.append(id)
        }
        #expect(told.count == 3)
        let fourth = table.beginReported()
        #expect(fourth == .refused(.reportedDials))
        for _ in 0..<2 {
            let own = table.begin(from: nil)
            #expect(own != .refused(.links))
        }
        table.end(told[0])
        let next = table.beginReported()
        #expect(next != .refused(.reportedDials))
    }

    @Test func `a whole market may run on one machine`() {
        var table = AdmissionTable(limits: LinkLimits())
        let own = IPAddress(ip4: "127.0.0.1")
        for _ in 0..<224 {
            let isLinked = Self.link(own, in: &table)
            #expect(isLinked)
        }
        let tooMany = table.begin(from: own)
        #expect(tooMany == .refused(.linksOfOneAddress))
    }

    /// Returns the part with most sockets; of two as large, the one with the oldest.
    private static func largest(
        _ sockets: [UInt64: IPAddress],
        by part: (IPAddress) -> [UInt8]
    ) -> [UInt64: IPAddress] {
        let parts = Dictionary(grouping: sockets) { part($0.value) }.values
        let most = parts.min {
            (-$0.count, $0.map(\.key).min() ?? 0) < (-$1.count, $1.map(\.key).min() ?? 0)
        }
        return Dictionary(uniqueKeysWithValues: (most ?? []).map { ($0.key, $0.value) })
    }

    @Test func `the subnet with the most handshakes loses a place first`() {
        var limits = LinkLimits()
        limits.handshakesMax = 17
        var table = AdmissionTable(limits: limits)
        // The oldest handshake is of somebody who is slow and alone.
        guard case .admitted(let honest, nil) = table.begin(from: Self.ip4(1, subnet: 9)) else {
            return #expect(Bool(false))
        }
        for last in 0..<40 as Range<UInt8> { _ = table.begin(from: Self.ip4(last)) }
        for last in 0..<10 as Range<UInt8> {
            _ = table.begin(from: Self.ip4(last, subnet: 100 + last))
        }
        let isOpen = table.open(honest) == nil
        #expect(isOpen)
    }

    /// Compares the table with a plain list of the sockets.
    ///
    /// - From peers: sockets opened and closed in any order → bounds hold; only the address with
    ///   the most handshakes loses a slot
    @Test(arguments: 0..<64 as Range<UInt64>)
    func `keeps its bounds and displaces only the greediest, whoever connects`(
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed)
        var limits = LinkLimits()
        limits.handshakesMax = 12
        limits.handshakesOfOneAddressMax = 4
        limits.handshakesOfOneSubnetMax = 6
        limits.linksOfOneAddressMax = 5
        var table = AdmissionTable(limits: limits)
        var shaking: [UInt64: IPAddress] = [:]
        var open: [UInt64: IPAddress] = [:]
        for _ in 0..<400 {
            let source = IPAddress(bytes: [
                198, 51, UInt8(random.next() % 4), UInt8(random.next() % 5),
            ])
            guard let source else { continue }
            switch random.next() % 4 {
            case 0:
                guard let id = shaking.keys.sorted().randomElement(using: &random) else { continue }
                let isAllowed = open.values.count { $0 == shaking[id] } < 5
                let isOpen = table.open(id) == nil
                #expect(isOpen == isAllowed)
                if isAllowed { open[id] = shaking.removeValue(forKey: id) }
            case 1:
                let all = shaking.merging(open) { one, _ in one }
                guard let id = all.keys.sorted().randomElement(using: &random) else { continue }
                table.end(id)
                shaking[id] = nil
                open[id] = nil
            default:
                guard case .admitted(let id, let evicted) = table.begin(from: source) else {
                    #expect(open.values.count { $0 == source } >= 5)
                    continue
                }
                if let evicted {
                    let near = shaking.filter {
                        AddressGroup($0.value).isNear(AddressGroup(source))
                    }
                    let own = near.filter { $0.value == source }
                    let pool = own.count >= 4 ? own : near.count >= 6 ? near : shaking
                    let subnet = Self.largest(pool) { AddressGroup($0).subnet }
                    #expect(evicted == Self.largest(subnet) { $0.bytes }.keys.min())
                    shaking[evicted] = nil
                }
                shaking[id] = source
            }
            #expect(table.handshakeCount == shaking.count && shaking.count <= 12)
            #expect(table.count == shaking.count + open.count)
        }
        for id in Array(shaking.keys) + Array(open.keys) { table.end(id) }
        #expect(table.count == 0)
    }
}
