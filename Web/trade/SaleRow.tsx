import type { Sale } from "../shared/api";
import { Money } from "../shared/parts/Money";
import { Person } from "../shared/parts/Person";
import { Row } from "../shared/parts/Row";
import { Time } from "../shared/parts/Time";
import { useWords, type PlainCode } from "../shared/words";
import { titleOf } from "./SaleHead";

/** How a bidder's auction stands. */
const parts: Readonly<Record<string, PlainCode>> = {
  highest_bidder: "page.youLead", outbid: "page.youAreOutbid", lost: "page.youHaveLost",
};

/** A sale in a list: what it is, with whom, whose turn it is and until when. */
export function SaleRow({ sale }: { readonly sale: Sale }) {
  const words = useWords();
  const part = parts[sale.own ?? ""];
  const isWaiting = sale.isOwnTurn || sale.own === "outbid";
  return (
    <Row to={`/sales/${sale.id}`} title={<bdi>{titleOf(sale, words)}</bdi>} picture={sale.picture?.id ?? null} end={
      <>
        <span className="strong"><Money amount={sale.price.amount} currency={sale.price.currency} chain={sale.chain} /></span>
        {sale.deadline != null && sale.stage !== "over"
          ? <span className="soft small">{words.say("page.untilTime")} <Time at={sale.deadline.at} as="distance" /></span>
          : sale.since != null && <span className="soft small"><Time at={sale.since} as="day" /></span>}
      </>
    }>
      <span className="note">
        <span className={isWaiting ? "state warn" : "state"}>
          {sale.isOwnTurn ? words.say("page.yourTurn") : part === undefined ? words.alone(words.named("phase", sale.phase)) : words.say(part)}
        </span>
        {sale.stage === "running" && part === undefined && <span className="soft"> {words.alone(words.said(sale.turn))}</span>}
      </span>
      {sale.other != null && <Person account={sale.other.account} name={sale.other.name} avatar={sale.other.avatar} size="mini" />}
    </Row>
  );
}
