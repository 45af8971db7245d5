import type { Reputation } from "../shared/api";
import { Facts } from "../shared/parts/Facts";
import { Money } from "../shared/parts/Money";
import { Time } from "../shared/parts/Time";
import { useWords } from "../shared/words";

/** An account's record on the chain: how its sales ended, and with how many others. */
export function SellerRecord({ record }: { readonly record: Reputation }) {
  const words = useWords();
  const endings = (all: Reputation["sold"]): string | null =>
    all.map((one) => words.say("page.countOf", { count: one.count, what: words.said(one.status) })).join(", ") || null;
  const partners = record.counterparties;
  const facts = [
    [words.say("page.salesSold"), endings(record.sold)],
    [words.say("page.salesBought"), endings(record.bought)],
    [words.say("page.salesDisputed"), endings(record.disputed)],
    [words.say("page.disputesLost"), record.disputesLost === 0 ? null : String(record.disputesLost)],
    [words.say("page.setAside"), endings(record.setAside)],
    [words.say("page.tradedWith"), partners === 0 ? null : words.say("page.accounts", { count: partners })],
    [words.say("page.firstMove"), record.since == null ? null : <Time key="since" at={record.since} as="day" />],
    [words.say("page.traded"), record.traded.length === 0 ? null : record.traded.map((one) => (
      <div key={`${one.chain} ${one.money.currency}`}><Money {...one.money} chain={one.chain} rounding="down" /></div>
    ))],
  ] as const;
  return (
    <section className="stack">
      <h2>{words.say("page.record")}</h2>
      {facts.every(([, value]) => value === null)
        ? <p className="soft">{words.say("page.noRecord")}</p>
        : <Facts of={facts} />}
      <p className="soft small">{words.say("page.recordNote")}</p>
    </section>
  );
}
