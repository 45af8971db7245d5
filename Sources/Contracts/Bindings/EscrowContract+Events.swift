package import Ethereum
import Keys
package import Market

extension EscrowContract {
    package static func change(
        _ event: String,
        _ reader: inout ABIValueReader
    ) throws(ABIError) -> EscrowEvent.Change {
        switch event {
        case "Listed": return .listed(try ItemListing(&reader))
        case "Ended": return .ended(try EscrowEvent.Ended(&reader))
        case "Bought":
            let (seller, buyer) = (try reader.address(), try reader.address())
            return .bought(seller: seller, buyer: buyer, deadline: try reader.time())
        case "Relisted":
            let (seller, buyer) = (try reader.address(), try reader.address())
            return .relisted(seller: seller, buyer: buyer)
        case "ItemTransferred":
            let (seller, buyer) = (try reader.address(), try reader.address())
            return .itemTransferred(seller: seller, buyer: buyer, deadline: try reader.time())
        case "Disputed":
            let (buyer, arbiter) = (try reader.address(), try reader.address())
            return .disputed(buyer: buyer, arbiter: arbiter, deadline: try reader.time())
        case "Taken": return .taken(arbiter: try reader.address())
        case "Proposed":
            let (by, share) = (try reader.address(), try reader.share())
            return .proposed(SettlementProposal(by: by, share: share, until: try reader.time()))
        case "ProposalWithdrawn": return .proposalWithdrawn(by: try reader.address())
        default: throw .topic
        }
    }
}

extension EscrowEvent.Ended {
    fileprivate init(_ reader: inout ABIValueReader) throws(ABIError) {
        let (seller, buyer) = (try reader.address(), try reader.address())
        let status: EscrowStatus = try reader.flag()
        let exit: EscrowExit = try reader.flag("an exit")
        let (by, share) = (try reader.address(), try reader.share())
        let (tokenTo, maker) = (try reader.address(), try reader.address())
        var payout = try reader.tuple()
        self.init(
            seller: seller,
            buyer: buyer,
            status: status,
            exit: exit,
            by: by,
            share: share,
            tokenTo: tokenTo,
            maker: maker,
            payout: try EscrowPayout(&payout)
        )
    }
}

extension EscrowPayout {
    fileprivate init(_ reader: inout ABIValueReader) throws(ABIError) {
        self.init(
            seller: try reader.amount(),
            buyer: try reader.amount(),
            platform: try reader.amount(),
            maker: try reader.amount(),
            arbiter: try reader.amount(),
            nobody: try reader.amount()
        )
    }
}
