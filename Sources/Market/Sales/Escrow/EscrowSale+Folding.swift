package import Keys

/// The state after an event, for ``EscrowSale/apply(_:)``.
extension EscrowSale {
    /// Returns the phase after the next event of this sale.
    ///
    /// - Throws: If the contract could not have emitted it here.
    func phase(after event: EscrowEvent) throws(SaleFault) -> Phase {
        let time = event.position.time
        if case .listed(let offered) = phase, offered.refund != nil {
            guard case .credited = event.change else { throw .wrongCredit }
        }
        switch event.change {
        case .listed:
            throw .listedTwice
        case .bought(let seller, let buyer, let deadline):
            try EscrowRules.check(.buy, by: buyer, in: self, at: time)
            guard seller == self.seller else { throw .wrongAccount }
            return .paid(try deal(with: buyer, until: deadline, after: terms.shipWindow, at: time))
        case .relisted(let seller, let buyer):
            return try relisted(seller, buyer, at: time)
        case .itemTransferred(let seller, let buyer, let deadline):
            try EscrowRules.check(.transferItem, by: seller, in: self, at: time)
            guard buyer == self.buyer else { throw .wrongAccount }
            return .transferred(
                try deal(with: buyer, until: deadline, after: terms.confirmWindow, at: time)
            )
        case .disputed(let buyer, let arbiter, let deadline):
            try EscrowRules.check(.dispute, by: buyer, in: self, at: time)
            guard arbiter == terms.arbiter ?? .zero else { throw .wrongAccount }
            return .disputed(
                try deal(with: buyer, until: deadline, after: terms.rulingWindow, at: time)
            )
        case .taken(let arbiter):
            return try taken(by: arbiter, at: time)
        case .proposed(let proposal):
            return try proposed(proposal, at: time)
        case .proposalWithdrawn(let account):
            try EscrowRules.check(.withdrawProposal, by: account, in: self, at: time)
            return try phase(settingProposalOf: account, to: nil)
        case .ended(let ended):
            try EscrowRules.check(ended, of: self, at: time)
            return .ended(Ending(event: ended, at: time, isTaken: isTaken))
        case .credited(let credit):
            return try credited(credit)
        }
    }

    private func relisted(
        _ seller: Address,
        _ buyer: Address,
        at time: ChainTime
    ) throws(SaleFault) -> Phase {
        try EscrowRules.check(.relist, by: seller, in: self, at: time)
        guard buyer == self.buyer else { throw .wrongAccount }
        let refund = SalePayout(role: "buyer", account: buyer, amount: terms.buyerSends)
        return .listed(Offered(since: time, refund: refund))
    }

    /// Returns the data of a phase that begins now and ends with its window.
    private func deal(
        with buyer: Address,
        until deadline: ChainTime,
        after window: Duration,
        at time: ChainTime
    ) throws(SaleFault) -> Deal {
        guard deadline == time.advanced(by: window) else { throw .wrongDeadline }
        return Deal(buyer: buyer, since: time)
    }

    private func taken(by arbiter: Address, at time: ChainTime) throws(SaleFault) -> Phase {
        try EscrowRules.check(.take, by: arbiter, in: self, at: time)
        guard let deal else { throw .impossible(from: status.name) }
        return .disputed(Deal(buyer: deal.buyer, since: deal.since, isTaken: true))
    }

    private func proposed(
        _ proposal: SettlementProposal,
        at time: ChainTime
    ) throws(SaleFault) -> Phase {
        try EscrowRules.check(.propose, by: proposal.by, in: self, at: time)
        guard proposal.until > time,
            proposal.until <= time.advanced(by: EscrowLimits.proposalMax)
        else { throw .wrongTime }
        return try phase(settingProposalOf: proposal.by, to: proposal)
    }

    private func phase(
        settingProposalOf account: Address,
        to proposal: SettlementProposal?
    ) throws(SaleFault) -> Phase {
        guard var deal else { throw .impossible(from: status.name) }
        if account == seller {
            deal.sellerProposal = proposal
        } else {
            deal.buyerProposal = proposal
        }
        return switch phase {
        case .paid: .paid(deal)
        case .transferred: .transferred(deal)
        case .disputed: .disputed(deal)
        case .listed, .ended: phase
        }
    }

    private func credited(_ credit: ContractMoney.Credit) throws(SaleFault) -> Phase {
        if case .listed(let offered) = phase, let refund = offered.refund {
            guard credit.account == refund.account, credit.amount == refund.amount,
                credit.currency == terms.currency
            else { throw .wrongCredit }
            return .listed(Offered(since: offered.since))
        }
        guard case .ended(var ending) = phase else { throw .impossible(from: status.name) }
        let credits = credits(of: ending.event.payout, maker: ending.event.maker)
        guard ending.creditsSeen < credits.count, credit.currency == terms.currency,
            credits[ending.creditsSeen].account == credit.account,
            credits[ending.creditsSeen].amount == credit.amount
        else { throw .wrongCredit }
        ending.creditsSeen += 1
        return .ended(ending)
    }

    /// Returns the credits of `payout` in the contract's order, without parts of zero.
    package func credits(of payout: EscrowPayout, maker: Address) -> [SalePayout] {
        [
            SalePayout(role: "seller", account: seller, amount: payout.seller),
            SalePayout(role: "buyer", account: buyer ?? .zero, amount: payout.buyer),
            SalePayout(role: "platform", account: fees.platform, amount: payout.platform),
            SalePayout(role: "maker", account: maker, amount: payout.maker),
            SalePayout(role: "arbiter", account: terms.arbiter ?? .zero, amount: payout.arbiter),
            SalePayout(role: "nobody", account: EscrowRules.nobody, amount: payout.nobody),
        ].filter { !$0.amount.isZero }
    }
}
