import type { Sale } from "../shared/api";
import { Notice } from "../shared/parts/Notice";
import { Time } from "../shared/parts/Time";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useWords } from "../shared/words";
import { Division } from "./Division";

/** The proposals that are open, with what each side gets of the price. */
export function Proposals({ sale }: { readonly sale: Sale }) {
  const words = useWords();
  const own = useStore(session)?.account.address.toLowerCase();
  const proposals = sale.escrow?.proposals ?? [];
  if (proposals.length === 0) return null;
  return (
    <section className="stack">
      {proposals.map((one) => (
        <Notice key={one.by} kind={one.by.toLowerCase() === own ? "plain" : "warn"}>
          <h3>{one.by.toLowerCase() === own ? words.say("page.ownProposal") : words.say("page.otherProposal")}</h3>
          <Division sale={sale} share={one.share} />
          <p className="small soft">{words.say("page.untilTime")} <Time at={one.until} /></p>
        </Notice>
      ))}
    </section>
  );
}
