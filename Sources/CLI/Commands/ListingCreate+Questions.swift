import Client

/// The questions to a person who has not said all that a listing needs.
extension ListingCreate {
    /// The options that the listing lacks; a draft lacks none.
    var missing: [ListingNeeds] {
        guard asDraft == nil else { return [] }
        return ListingNeeds.allCases.filter { need in
            switch need {
            case .title: from == nil && title == nil
            case .price: price == nil
            case .description: from == nil && details.description == nil
            case .category: from == nil && work == nil && details.category == nil
            }
        }
    }

    /// Whether a person is there to answer.
    var canAsk: Bool { Terminal.isInteractive && !options.json && !consent.yes }

    /// Returns the command with the answers of the person whom it asks for what is missing.
    ///
    /// Asks again if an answer is not an amount or does not fit the options.
    ///
    /// - Throws: ``Failure`` if nothing is answered.
    func answered() async throws -> ListingCreate {
        var command = self
        for need in missing {
            let asked = command
            let answer = try await need.answer { try asked.with(need, $0).checkAnswers() }
            command = command.with(need, answer)
        }
        if asksForDelivery { command.take(try await DeliveryQuestion.asked()) }
        guard from == nil, asDraft == nil, canAsk else { return command }
        if work != nil, media.isEmpty { command.media = [try await DeliveryQuestion.preview()] }
        if work == nil, givenDelivery == "pickup", details.pickupPlace == nil {
            command.details.pickupPlace = try await DeliveryQuestion.pickupPlace()
        }
        return command
    }

    /// Whether a person who answers other questions has not said how a buyer gets goods.
    private var asksForDelivery: Bool {
        !missing.isEmpty && from == nil && work == nil && givenDelivery == nil
            && shipsTo.isEmpty && within.shipsWithin == nil && details.pickupPlace == nil
    }

    private mutating func take(_ answers: DeliveryQuestion.Answers) {
        givenDelivery = answers.delivery
        (details.pickupPlace, shipsTo) = (answers.pickupPlace, answers.shipsTo)
        if media.isEmpty { media = answers.media }
    }

    private func with(_ need: ListingNeeds, _ answer: String) -> ListingCreate {
        var command = self
        switch need {
        case .title: command.title = answer
        case .price: command.price = answer
        case .description: command.details.description = answer
        case .category: command.details.category = answer
        }
        return command
    }

    /// Offers to save what a person has typed, who does not list it now.
    func keep(_ content: ListingContent, on node: StoaClient) async throws {
        guard Terminal.confirms("Keep what you have typed as a draft?") else { return }
        let taken = Set(try await node.drafts().map(\.name))
        let names = [content.title] + (2...99).map { "\(content.title) \($0)" }
        guard let name = names.first(where: { !taken.contains($0) }) else { return }
        options.output.note(DraftText.kept(try await node.save(draft: content, as: name)))
    }
}
