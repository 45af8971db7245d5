"""What our nodes do, held against programs that share no code with them: a Go libp2p peer, web3.py
and eth-account. The nodes are whole processes, and people use them through the command `stoa`.
"""

import time
from dataclasses import replace
from datetime import datetime

from eth_account import Account
from market import listed, until
from web3 import Web3
from web3.logs import DISCARD

import record

DAY = 86_400
ETHER = 10**18
STATUSES = {"listed": 1, "paid": 2, "transferred": 4, "complete": 128}
ROLES = ("seller", "buyer", "platform", "maker", "arbiter", "nobody")
ZERO = "0x" + "00" * 20


def list_goods(person, title):
    """A listing made through a node; its id."""
    text = person.run(
        "listing", "create", title, "--price", "0.5", "--category", "sports", "--tag", "bicycle",
        "--identifier", f"frame {title}", "--description", "Steel.", "--ships-to", "DE", "--yes")
    return listed(text)


def test_a_go_peer_identifies_pings_and_gets_a_node_s_records(market, go):
    node = go.next("connected")["peer"]
    assert node == market.ask(0, "node", "status")["peer"]
    found = go.next("identify")
    assert {"/meshsub/1.1.0", "/ipfs/ping/1.0.0", "/ipfs/id/1.0.0", "/stoa/records/1"} <= set(
        found["protocols"])
    assert found["agentVersion"].startswith("stoa/") and found["signedPeerRecord"]
    assert go.next("ping")["microseconds"] > 0
    until("the node shows the peer", lambda: any(
        peer["id"] == go.ready["peer"] and peer["isConnected"]
        for peer in market.ask(0, "peers", "list")))

    ana = market.person("ana", 0)
    id = list_goods(ana, "Tandem")
    heard, listing = go.hear(node, record.listing_of)
    assert (heard.network, heard.author, heard.signer) == ("local", ana.address, ana.address)
    assert heard.summary == "List 'Tandem' for 0.5 ETH by escrow" and listing[2] == b"Tandem"
    shown = market.ask(0, "listing", "show", id)
    assert shown["record"] == heard.id and id == f"{ana.address}.{heard.slot.hex()}"
    sale = market.escrow.functions.sale(shown["anchor"]["sale"]).call()
    assert the_one(market, "Listed", shown["anchor"]["sale"]).promise == record.promise(heard.slot, listing)
    assert the_one(market, "Listed", shown["anchor"]["sale"]).salt == heard.slot
    assert sale.status == STATUSES["listed"]


def test_a_node_takes_a_listing_made_and_published_by_other_programs(market, go):
    node = go.next("connected")["peer"]
    while node not in go.next("topic-peers")["peers"]:
        pass
    seller = Account.create()
    market.fund(seller.address)
    good, sale = list_by_web3(market, seller)
    stranger = replace(good, network="elsewhere").signed(seller).encode().hex()
    ignored, rejected = market.judged(0, "ignore"), market.judged(0, "reject")
    # Until the two have meshed, what is published may be lost.
    until("the node hears the peer", lambda: go.say(stranger) or market.judged(0, "ignore") > ignored)

    go.say("00ff")
    go.say(good.spoilt().encode().hex())
    go.say(good.encode().hex())
    id = f"{seller.address}.{good.slot.hex()}"
    for n in (0, 1):
        shown = until(f"node {n + 1} shows it as promised", lambda n=n: as_promised(market, n, id))
        assert (shown["record"], shown["author"]) == (good.id, seller.address)
        assert shown["anchor"]["sale"] == "0x" + sale.hex()
        assert shown["content"]["price"]["amount"] == str(ETHER // 4)
        found = market.ask(n, "listing", "search", "unicycle")["items"]
        assert [item["id"] for item in found] == [id]
    # Messages are judged beside each other: the good one may be through before the others.
    until("both bad ones are judged", lambda: market.judged(0, "reject") >= rejected + 2)
    assert market.judged(0, "reject") == rejected + 2

    buyer = market.person("bo", 1)
    until("node 2 sees the sale final", lambda: is_final(market, 1, "0x" + sale.hex()))
    buyer.run("sale", "buy", "0x" + sale.hex(), "--ship-to", "DE", "--yes")
    assert market.escrow.functions.sale(sale).call().buyer == buyer.address


def content_hash(maker, identifier):
    """The item's content hash as Docs/contracts.md, section 3, has it."""
    return Web3.keccak(bytes.fromhex(maker.address[2:]) + identifier.encode())


def as_promised(market, node, id):
    """The listing as a node shows it, once its chain connection has shown the sale to it too."""
    shown = market.ask(node, "listing", "show", id)
    return shown if shown and shown.get("isAsPromised") else None


def is_final(market, node, sale):
    shown = market.ask(node, "sale", "show", sale)
    return shown is not None and shown["confirmations"] >= shown["confirmationsNeeded"]


def list_by_web3(market, seller):
    """Lists a sale with web3.py; the record that describes it, and the sale's id."""
    web3, escrow = market.web3, market.escrow
    now, price = web3.eth.get_block("latest").timestamp, ETHER // 4
    terms = (ZERO, price, 2 * price, price, price // 50, ZERO, 0,
             3 * DAY, 21 * DAY, 14 * DAY, now + 30 * DAY, ZERO)
    slot, salt = Web3.keccak(text="slot"), Web3.keccak(text="salt")
    offer = record.escrow_offer(terms)
    content = content_hash(seller, "frame77")

    def payload(sale):
        return record.goods(
            "Unicycle", "frame77", "DE", market.chain, offer, escrow.address, sale)

    promise = record.promise(slot, dict(record.read(payload(bytes(32)))))
    whole = (seller.address, salt, 0, seller.address, content, promise, terms)
    id = escrow.functions.sale_id(whole).call()
    allowed = send(web3, seller, market.item.functions.allow_minter(escrow.address, True))
    assert allowed.status == 1 and market.item.functions.is_minter(seller.address, escrow.address).call()
    receipt = send(web3, seller, escrow.functions.list(whole), terms[2])
    [listed] = escrow.events.Listed().process_receipt(receipt, errors=DISCARD)
    assert receipt.status == 1 and listed.args.id == id
    summary = "List 'Unicycle' for 0.25 ETH by escrow"
    unsigned = record.Record(
        "local", record.LISTING, seller.address, slot, time.time_ns() // 10**6, summary,
        payload(id))
    return unsigned.signed(seller), id


def send(web3, account, call, value=0):
    """Sends a transaction and waits for its receipt."""
    transaction = call.build_transaction({
        "from": account.address, "value": value,
        "nonce": web3.eth.get_transaction_count(account.address)})
    sent = web3.eth.send_raw_transaction(account.sign_transaction(transaction).raw_transaction)
    return web3.eth.wait_for_transaction_receipt(sent, timeout=60)


def test_web3_reads_every_state_of_a_sale_as_the_nodes_show_it(market):
    seller, buyer = market.person("cleo", 0), market.person("dan", 1)
    listing = list_goods(seller, "Roadster")
    until("node 2 shows it", lambda: market.ask(1, "listing", "show", listing))
    id = market.ask(1, "listing", "show", listing)["anchor"]["sale"]
    agree(market, id, "listed", seller, None)
    listed = the_one(market, "Listed", id)
    assert (listed.minted, listed.content_hash) == (True, content_hash(seller, "frameroadster"))
    assert listed.maker == seller.address
    assert id == "0x" + sale_id(market, listed).hex()

    buyer.run("sale", "buy", id, "--ship-to", "DE", "--yes")
    deadline = agree(market, id, "paid", seller, buyer)
    assert the_one(market, "Bought", id).deadline == deadline
    seller.run("sale", "transfer", id, "--yes")
    deadline = agree(market, id, "transferred", seller, buyer)
    assert the_one(market, "ItemTransferred", id).deadline == deadline
    buyer.run("sale", "confirm", id, "--yes")
    agree(market, id, "complete", seller, buyer)
    ended = the_one(market, "Ended", id)
    assert (ended.exit, ended.by, ended.share) == (4, buyer.address, 10_000)
    paid_out(market, id, ended)

    item = market.item.functions
    assert item.ownerOf(listed.token).call() == ended.token_to == buyer.address
    assert item.maker(listed.token).call() == ended.maker == seller.address
    for person in (seller, buyer):
        credit = market.escrow.functions.credit(ZERO, person.address).call()
        assert person.credit() == credit > 0
        person.run("wallet", "collect", "--yes")
        [drawn] = market.logs("Withdrawn", account=person.address)
        assert (drawn.args.to, drawn.args.amount) == (person.address, credit)
        until("the wallet has it", lambda p=person: p.balance() == market.web3.eth.get_balance(
            p.address) and p.credit() == 0)


def the_one(market, event, id):
    """What the only event of its kind of a sale says."""
    [log] = market.logs(event, id=id)
    assert log.args.at == market.web3.eth.get_block(log.blockNumber).timestamp
    return log.args


def sale_id(market, listed):
    """The id as Docs/contracts.md, section 4, has it."""
    terms = "(address,uint256,uint256,uint256,uint256,address" + 5 * ",uint256" + ",address)"
    return Web3.keccak(market.web3.codec.encode(
        ["uint256", "address", f"(address,bytes32,uint256,address,bytes32,bytes32,{terms})"],
        [market.escrow.functions.CHAIN_ID().call(), market.escrow.address,
         (listed.seller, listed.salt, 0, listed.maker, listed.content_hash, listed.promise,
          tuple(listed.terms.values()))]))


def agree(market, id, phase, seller, buyer):
    """Holds each node's final view of a sale against the contract's; the deadline that runs."""
    sale = market.escrow.functions.sale(id).call()
    listed = the_one(market, "Listed", id)
    terms = listed.terms
    ends = sale.deadline or None
    assert sale.status == STATUSES[phase] and not sale.taken
    assert tuple(sale.seller_proposal) == tuple(sale.buyer_proposal) == (0, 0)
    assert (listed.seller, sale.buyer) == (seller.address, buyer.address if buyer else ZERO)
    assert phase != "listed" or ends == terms.offer_until
    assert (terms.currency, terms.arbiter, terms.arbiter_fee, terms.buyer) == (ZERO, ZERO, 0, ZERO)
    for n in (0, 1):
        shown = until(f"node {n + 1} shows it {phase}", lambda n=n: final(market, n, id, phase))
        deadline = shown.get("deadline") and int(
            datetime.fromisoformat(shown["deadline"]["at"]).timestamp())
        assert deadline == ends
        assert (shown["id"], shown["chain"]) == (id, market.chain)
        assert shown["contract"] == market.escrow.address
        assert (shown["seller"], shown.get("buyer") or ZERO) == (listed.seller, sale.buyer)
        assert shown["item"] == str(sale.token)
        assert shown["price"] == {"amount": str(terms.price), "currency": "native"}
        shown_terms = shown["escrow"]["terms"]
        assert (shown_terms["sellerDeposit"], shown_terms["buyerDeposit"]) == (
            str(terms.seller_deposit), str(terms.buyer_deposit))
        steps = [(step["move"], step["by"], step["transaction"]) for step in shown["history"]]
        assert steps == market.steps(id), f"node {n + 1}"
        listing = market.ask(n, "listing", "show", shown["listing"])
        assert listing["isAsPromised"] and listing["salePhase"] == phase
    return ends


def final(market, node, id, phase):
    """The final sale as a node shows it, once it has the listing that stands for it too."""
    shown = market.ask(node, "sale", "show", id)
    is_final = shown and shown["confirmations"] >= shown["confirmationsNeeded"]
    return shown if is_final and shown["phase"] == phase and "listing" in shown else None


def paid_out(market, id, ended):
    """The payout of event, credits and nodes is one, and leaves nothing over."""
    accounts = (ended.seller, ended.buyer, market.escrow.functions.PLATFORM().call(), ended.maker,
                ZERO, "0x000000000000000000000000000000000000dEaD")
    expected = [
        {"role": role, "account": account, "amount": str(amount)}
        for role, account, amount in zip(ROLES, accounts, ended.payout.values()) if amount]
    for n in (0, 1):
        assert market.ask(n, "sale", "show", id)["payouts"] == expected
    credited = [(log.args.account, str(log.args.amount)) for log in market.logs("Credited", id=id)]
    assert credited == [(part["account"], part["amount"]) for part in expected]
    terms = the_one(market, "Listed", id).terms
    assert sum(ended.payout.values()) == terms.price + terms.seller_deposit + terms.buyer_deposit
