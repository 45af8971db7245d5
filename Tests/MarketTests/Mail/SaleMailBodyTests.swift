import Foundation
import Keys
import Market
import Support
import SwiftProtobuf
import Testing
import WireMessages

/// Rules that hold for all bodies of mail about a sale.
struct SaleMailBodyTests {
    /// A body about a sale, as another program writes it.
    enum Kind: CaseIterable {
        case address, work, note, offer

        var field: UInt64 {
            switch self {
            case .address: MailAddress.field
            case .work: MailWork.field
            case .note: MailNote.field
            case .offer: MailPriceOffer.field
            }
        }

        func content(contract: Data, sale: Data) -> [UInt8] {
            let hash = Data(repeating: 4, count: 32)
            switch self {
            case .address:
                var wire = WireMailAddress()
                (wire.chain, wire.contract, wire.sale) = (31_337, contract, sale)
                wire.text = "Main Street 1"
                return CanonicalMessage.bytes(of: wire)
            case .work:
                var wire = WireMailWork()
                (wire.chain, wire.contract, wire.sale) = (31_337, contract, sale)
                (wire.file, wire.blob, wire.key) = (hash, hash, hash)
                (wire.length, wire.name) = (100, "a")
                return CanonicalMessage.bytes(of: wire)
            case .note:
                var wire = WireMailNote()
                (wire.chain, wire.contract, wire.sale) = (31_337, contract, sale)
                (wire.transaction, wire.text) = (hash, "DHL 0034")
                return CanonicalMessage.bytes(of: wire)
            case .offer:
                var wire = WireMailPriceOffer()
                (wire.chain, wire.contract, wire.sale) = (31_337, contract, sale)
                (wire.price, wire.until, wire.paymentSeconds) = (hash[..<4], 1, 3_600)
                return CanonicalMessage.bytes(of: wire)
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func `reads the sale, and writes it in the same bytes`(kind: Kind) throws {
        let (contract, sale) = (Data(repeating: 1, count: 20), Data(repeating: 2, count: 32))
        let content = kind.content(contract: contract, sale: sale)
        let unknown = UnknownMailBody(field: kind.field, content: content)
        let read = try SignedMail(try MailBodySamples.signed(.unknown(unknown)).bytes)
        let reference = try #require(read.message.body.sale)
        #expect(reference.contract.chain == ChainID(31_337))
        #expect(reference.contract.address.bytes == [UInt8](contract))
        #expect(reference.id.hash.bytes == [UInt8](sale))
        try MailBodySamples.expectsReading(read.message.body, from: unknown)
    }

    /// - From peers: a message about a sale that names none → dropped as malformed
    @Test(arguments: Kind.allCases)
    func `refuses a body that names no sale`(kind: Kind) throws {
        for (contract, sale) in [(19, 32), (0, 32), (21, 32), (20, 31), (20, 0), (20, 33)] {
            let content = kind.content(
                contract: Data(repeating: 1, count: contract),
                sale: Data(repeating: 2, count: sale)
            )
            #expect(try MailBodySamples.fault(kind.field, content) == .malformed)
        }
        #expect(try MailBodySamples.fault(kind.field, [0xFF]) == .malformed)
    }
}
