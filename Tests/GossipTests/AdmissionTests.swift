import Testing

@testable import Gossip

struct AdmissionTests {
    private func ip4(_ last: UInt8) -> IPAddress? { IPAddress(bytes: [203, 0, 113, last]) }

    @Test func `strangers in their handshakes do not keep this node from dialling`() {
        var limits = LinkLimits()
        limits.handshakesMax = 3
        let admission = Admission(limits: limits)
        for last in 1...3 { #expect(admission.begin(from: ip4(UInt8(last))) == nil) }
        #expect(admission.begin(from: ip4(4)) == .handshakes)
        #expect(admission.begin(from: nil) == nil)
        admission.end(from: ip4(1), wasOpen: false)
        #expect(admission.begin(from: ip4(4)) == nil)
    }

    @Test func `accepted links leave room for this node's own`() {
        var limits = LinkLimits()
        limits.linksMax = 8
        limits.linksDialledReserve = 2
        let admission = Admission(limits: limits)
        for last in 1...6 {
            #expect(admission.begin(from: ip4(UInt8(last))) == nil)
            admission.open(from: ip4(UInt8(last)))
        }
        #expect(admission.begin(from: ip4(7)) == .links)
        #expect(admission.begin(from: nil) == nil)
        #expect(admission.begin(from: nil) == nil)
        #expect(admission.begin(from: nil) == .links)
        admission.end(from: nil, wasOpen: true)
        #expect(admission.begin(from: nil) == nil)
    }

    @Test func `one customer's many addresses of IPv6 count as one`() {
        var limits = LinkLimits()
        limits.linksOfOneAddressMax = 2
        let admission = Admission(limits: limits)
        let near = (1...3).map { IPAddress(ip6: "2001:db8:1:1::\($0)") }
        #expect(near.map(admission.begin) == [nil, nil, .linksOfOneAddress])
        #expect(admission.begin(from: IPAddress(ip6: "2001:db8:1:2::1")) == nil)
    }

    @Test func `a whole market may run on this machine`() {
        let admission = Admission(limits: LinkLimits())
        let own = IPAddress(ip4: "127.0.0.1")
        let begun = (0..<225).map { _ in
            defer { admission.open(from: own) }
            return admission.begin(from: own)
        }
        #expect(begun[..<224].allSatisfy { $0 == nil })
        #expect(begun.last == .links)
        #expect((0..<33).map { _ in admission.begin(from: ip4(1)) }.last == .links)
    }
}
