import { useState } from "react";
import type { Arbitration, ArbitrationInput } from "../shared/api";
import { Button } from "../shared/parts/Button";
import { Money } from "../shared/parts/Money";
import { Row } from "../shared/parts/Row";
import { Time } from "../shared/parts/Time";
import { useWords } from "../shared/words";
import { ArbitrateDialog } from "./ArbitrateDialog";

/** Where the account is registered as an arbiter, and the way out of it. */
export function Registrations({ all }: { readonly all: readonly Arbitration[] }) {
  const words = useWords();
  const [ending, setEnding] = useState<ArbitrationInput | null>(null);
  if (all.length === 0) return null;
  return (
    <section className="stack">
      <h2>{words.say("page.registeredAs")}</h2>
      <ul className="rows">
        {all.map((one) => (
          <Row key={`${one.chain} ${one.currency}`} title={
            <>{words.say("page.feeFrom")} <Money amount={one.feeMin} currency={one.currency} chain={one.chain ?? undefined} rounding="whole" /></>
          } end={
            <Button isSmall onClick={() => setEnding(endOf(one))}>{words.say("page.resign")}</Button>
          }>
            <span className="soft note">{words.say("page.untilTime")} <Time at={new Date(one.until * 1_000).toISOString()} as="day" /></span>
          </Row>
        ))}
      </ul>
      {ending !== null && <ArbitrateDialog body={ending} action={words.say("page.resign")} look="danger" onClose={() => setEnding(null)} />}
    </section>
  );
}

/** What ends a registration. */
function endOf({ currency, chain }: Arbitration): ArbitrationInput {
  return { currency, feeMin: "0", until: 0, ...(chain != null && { chain }) };
}
