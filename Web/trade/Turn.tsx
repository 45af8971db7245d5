import type { Sale } from "../shared/api";
import { Time } from "../shared/parts/Time";
import { useWords } from "../shared/words";
import { Reserved } from "./Reserved";

/** Whose turn it is, until when, and what happens then. */
export function Turn({ sale }: { readonly sale: Sale }) {
  const words = useWords();
  const isOver = sale.stage === "over";
  const isBidding = sale.auction?.isOpen === true;
  const canTake = sale.own === "arbiter" && sale.actions.some((one) => one.move === "take");
  const isAsked = sale.nextSteps.some((one) => one.words.code === "next.address");
  const reserved = sale.stage === "offered" ? sale.escrow?.terms.buyer ?? sale.direct?.terms.buyer : null;
  const heading = isAsked ? words.say("page.tellAddress") : canTake ? words.say("page.canTakeDispute")
    : isOver ? words.alone(words.said(sale.status)) : isBidding ? words.say("page.biddingRuns")
    : words.say(sale.isOwnTurn ? "page.yourTurn" : sale.turn.code === "turn.nobodys" ? "page.whereItIs" : "page.othersTurn");
  return (
    <section className={`turn stack close${sale.isOwnTurn || isAsked ? " own" : ""}`} aria-labelledby="turn">
      <h2 id="turn">{heading}</h2>
      {reserved != null && <Reserved buyer={reserved} />}
      {!isOver && !isBidding && reserved == null && <p className="strong">{words.alone(words.said(sale.turn))}</p>}
      {sale.deadline != null && (
        <p>
          {words.say("page.untilTime")} <Time at={sale.deadline.at} />
          {/* The countdown of an auction is on the chain's clock. */}
          {!isBidding && <span className="soft"> (<Time at={sale.deadline.at} as="distance" />)</span>}
          <br />
          <span className="soft">{words.say("page.thenWhat")} {words.said(sale.deadline.consequence)}</span>
        </p>
      )}
      {(sale.ifUnpaid?.length ?? 0) > 0 && <p className="note">{words.said(sale.ifUnpaid ?? [])}</p>}
      {sale.warnings.map((one) => <p key={one.code} className="note">{words.said(one)}</p>)}
      {(sale.payouts?.length ?? 0) > 0 && (
        <dl className="costs">
          {byAccount(sale.payouts ?? []).map((one) => (
            <div key={one.account} className="cost">
              <dt>{one.roles.map((role) => words.alone(words.named("role", role))).join(", ")}</dt>
              <dd>{words.money(one.amount, sale.price.currency, sale.chain, "down")}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

/** What each account gets, in whatever parts: the seller can be the maker too. */
function byAccount(payouts: NonNullable<Sale["payouts"]>): readonly { readonly account: string; readonly roles: readonly string[]; readonly amount: string }[] {
  const found = new Map<string, { account: string; roles: string[]; amount: string }>();
  for (const { account, role, amount } of payouts) {
    const known = found.get(account);
    found.set(account, { account, roles: [...(known?.roles ?? []), role], amount: String(BigInt(known?.amount ?? "0") + BigInt(amount)) });
  }
  return [...found.values()];
}
