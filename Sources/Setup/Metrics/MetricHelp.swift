/// The help text of each metric, for the `HELP` lines that Prometheus shows.
///
/// Docs/operations.md, section 8, explains how to react to the metrics; `Scripts/generate-tables`
/// writes its table from these texts.
package enum MetricHelp {
    package static let texts = [peers, records, blobs].reduce(node) {
        $0.merging($1) { one, _ in one }
    }

    private static let node = [
        "stoa_build_info": "Always 1; the label is the program's version.",
        "stoa_store_bytes": "Bytes of the store's file, free pages within it included.",
        "stoa_store_used_bytes": "Bytes of the store in use.",
        "stoa_store_free_bytes": "Bytes that the store has left.",
        "stoa_store_full": "1 while the store or its disk has no room for additions, else 0.",
        "stoa_loop_errors": "Items that a loop skipped because of an error, by loop.",
        "stoa_catalogue_change": "The last change of the store that the search index has.",
        "stoa_api_refused": "API calls that were refused, by the problem's code.",
        "stoa_api_connections_displaced":
            "Idle connections closed because others needed the slot.",
        "stoa_api_connections_refused": "Connections refused because the limit was reached.",
        "stoa_chain_ready": "1 while the chain is followed to its head, else 0.",
        "stoa_chain_head_block": "The number of the newest block seen.",
        "stoa_chain_head_age_seconds": "The age of the newest block seen.",
        "stoa_chain_endpoint_failures": "Requests that an endpoint answered wrongly or not at all.",
        "stoa_chain_endpoint_requests": "Calls sent to an endpoint.",
        "stoa_chain_endpoint_delayed": "Requests that waited because of chain.rpcPerSecond.",
        "stoa_chain_endpoint_busy": "Times that an endpoint asked for fewer requests.",
        "stoa_chain_heads_announced": "Blocks that an endpoint announced without being asked.",
        "stoa_chain_events_applied": "Events of the market's contracts that were applied.",
        "stoa_chain_logs_asked_again":
            "Times that logs were requested again, because a block's filter names contracts without one.",
        "stoa_chain_logs_left_out": "Times that an endpoint was found to leave out events.",
        "stoa_chain_reorganisations": "Times that a reorganisation removed blocks.",
        "stoa_sender_steps": "Steps of transactions written into the journal, by step.",
    ]

    private static let peers = [
        "stoa_peers": "Peers that are connected.",
        "stoa_links_ended": "Connections to peers that ended, by reason.",
        "stoa_link_unread_bytes": "Bytes from peers that are not read yet.",
        "stoa_link_unread_bytes_of_links": "The same, added up over the connections.",
        "stoa_link_outgoing_bytes": "Bytes that peers have not read yet.",
        "stoa_link_outgoing_bytes_of_links": "The same, added up over the connections.",
        "stoa_link_window_bytes": "Bytes by which streams may be ahead beyond their first window.",
        "stoa_link_budget_faults": "Times that a connection's count differed from its streams'.",
        "stoa_gossip_messages": "Messages from peers, by verdict.",
        "stoa_gossip_messages_crowded_out":
            "Messages from peers that had no room to wait for validation.",
        "stoa_gossip_offences": "Breaches of the protocol by peers, by name.",
        "stoa_gossip_frames_dropped": "Frames that a full queue to a peer had no room for.",
        "stoa_gossip_records_fetched": "Records fetched from peers.",
        "stoa_gossip_fetched_bytes": "Bytes of records fetched from peers.",
        "stoa_gossip_bans": "Bans of peers and of addresses.",
        "stoa_gossip_banned": "Peers and addresses that are banned now.",
        "stoa_gossip_banned_links": "Connections of banned peers that were ended.",
        "stoa_gossip_useless_links": "Connections ended because they were useless.",
        "stoa_gossip_exchanges_led": "Exchanges of records that this node leads now.",
        "stoa_gossip_exchanges_slow": "Exchanges of records that were too slow.",
        "stoa_gossip_exchanges_revoked": "Exchanges that lost their slot to another peer's.",
        "stoa_gossip_outbox_bytes": "Bytes that wait for peers.",
        "stoa_gossip_outbox_unaccounted_bytes": "Error in the count of waiting bytes; normally 0.",
        "stoa_mail_accepted": "Envelopes accepted for an account, by source.",
        "stoa_mail_refused": "Envelopes refused, by reason.",
        "stoa_mail_malformed": "Envelopes that break the protocol's format.",
        "stoa_mail_attempts_failed": "Attempts to send a message that ended in an error.",
        "stoa_mail_dropped": "Envelopes dropped after they were collected, by reason.",
        "stoa_mail_requests_evicted": "Message requests removed from a full request box.",
        "stoa_mail_offers_unlisted":
            "Price offers for unknown sales that a full list of offers left out.",
        "stoa_vault_bytes": "Bytes of the vaults of other nodes' accounts.",
        "stoa_vault_room_bytes": "Bytes that these vaults may have together.",
        "stoa_mail_envelopes": "Envelopes that wait here, by source.",
        "stoa_mail_bytes": "Bytes of envelopes that wait here, by source.",
        "stoa_mail_leases": "Accounts whose mail is kept here.",
    ]

    private static let blobs = [
        "stoa_blob_bytes": "Bytes of the files stored here, of this node's accounts and of others.",
        "stoa_blob_files": "Files stored here, including incomplete ones.",
        "stoa_blob_evicted": "Files removed because others needed their room.",
        "stoa_blob_homed": "Files kept for guests.",
        "stoa_blob_without_room": "Files refused because pinned files take up the room.",
        "stoa_blob_damaged": "Files removed because they were damaged on the disk.",
        "stoa_blob_bytes_sent": "Bytes of files sent to peers.",
        "stoa_blob_bytes_received": "Bytes of correct files received from peers.",
        "stoa_blob_refused": "Questions of peers for files that were refused, by reason.",
        "stoa_blob_malformed": "Questions of peers for files that break the protocol's format.",
        "stoa_blob_failed": "Peers that stopped delivering a file, by reason.",
        "stoa_blob_listings_incomplete":
            "Former listings whose files were not all fetched within 60 seconds.",
    ]

    private static let records = [
        "stoa_records": "Records kept.",
        "stoa_records_open": "Records of the open lane, by outcome.",
        "stoa_records_unknown_kind": "Records of unknown kinds, ignored.",
        "stoa_records_held": "Records that wait until the chain shows their sale.",
        "stoa_records_given_up": "Records remembered for which the anchored lane has no room.",
        "stoa_records_too_early": "Records postponed: their authors replaced too much in a day.",
        "stoa_records_unreadable": "Stored records that this version's rules refuse.",
        "stoa_lane_records": "Records in a lane.",
        "stoa_lane_bytes": "Bytes that a lane's records take.",
        "stoa_open_lane_bytes": "Bytes that the open lane takes.",
        "stoa_open_lane_kept_bytes": "Bytes of it kept for guests and local accounts.",
    ]
}
