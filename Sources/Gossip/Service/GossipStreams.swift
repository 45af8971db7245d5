/// Limits of the streams that peers have open here, by protocol.
struct GossipStreams: Sendable {
    let frames: StreamCount
    let servings: StreamCount
    let tellings: StreamCount

    init(settings: GossipSettings) {
        let perPeerMax = settings.streamsPerPeerMax
        frames = StreamCount(perPeerMax: perPeerMax)
        servings = StreamCount(perPeerMax: perPeerMax, allMax: settings.servingsMax)
        tellings = StreamCount(perPeerMax: perPeerMax, allMax: settings.servingsMax)
    }
}
