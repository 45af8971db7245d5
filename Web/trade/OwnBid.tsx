import { useState } from "react";
import type { Sale } from "../shared/api";
import { CollectDialog } from "../money/CollectDialog";
import { Button } from "../shared/parts/Button";
import { Notice } from "../shared/parts/Notice";
import { useWords, type Words } from "../shared/words";
import { useFreeMoney } from "./freeMoney";

/** Shows the account's own bid: whether it leads, is outbid, has won or lost, and the money that it can take back. */
export function OwnBid({ sale }: { readonly sale: Sale }) {
  const words = useWords();
  const free = useFreeMoney(sale);
  const [isCollecting, setCollecting] = useState(false);
  const said = saidOf(sale, words);
  if (said === null) return null;
  const amount = words.money(String(free.ofSale), sale.price.currency, sale.chain, "down");
  return (
    <>
      <Notice kind={said.kind} isNews>
        <p className="strong">{said.title}</p>
        {said.why !== null && <p>{said.why}</p>}
        {free.ofSale > 0n && (
          <>
            <p>{words.say(sale.auction?.isOpen ? "page.outbidMoneyOpen" : "page.outbidMoney", { amount })}</p>
            <p><Button isSmall onClick={() => setCollecting(true)}>{words.say("page.takeBack")}</Button></p>
          </>
        )}
      </Notice>
      {isCollecting && <CollectDialog chain={sale.chain} onClose={() => setCollecting(false)} />}
    </>
  );
}

interface Said {
  readonly kind: "plain" | "good" | "warn";
  readonly title: string;
  readonly why: string | null;
}

function saidOf(sale: Sale, words: Words): Said | null {
  const { auction, own, price: { currency }, chain } = sale;
  const isOpen = auction?.isOpen === true;
  const bid = auction?.ownBid == null ? "" : words.money(auction.ownBid, currency, chain, "up");
  switch (own) {
    case "highest_bidder":
      return isOpen ? { kind: "good", title: words.say("page.youLead"), why: words.say("page.youLeadWhy", { bid }) }
        : { kind: "good", title: words.say("page.youHaveWon"), why: words.say("page.wonNotEnded") };
    case "outbid":
      return isOpen ? { kind: "warn", title: words.say("page.youAreOutbid"), why: words.say("page.youAreOutbidWhy", { bid }) }
        : { kind: "plain", title: words.say("page.youHaveLost"), why: words.say("page.youHaveLostWhy", { bid }) };
    case "lost":
      return { kind: "plain", title: words.say("page.youHaveLost"), why: words.say("page.youHaveLostWhy", { bid }) };
    case "buyer":
      return { kind: "good", title: words.say("page.youHaveWon"), why: words.say("page.youHaveWonWhy", { bid }) };
    default:
      return null;
  }
}
