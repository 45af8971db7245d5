import { Link } from "../shared/parts/Link";
import { Shown } from "../shared/parts/Shown";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { Movement } from "./Movement";

/** The latest final movements of the account's money. */
export function Movements({ chain }: { readonly chain: number }) {
  const words = useWords();
  const history = useCall("GET /v1/wallet/history", { query: { chain, limit: 5 } }, ["sale", "operation"]);
  return (
    <section className="stack close">
      <h2>{words.say("page.movements")}</h2>
      <Shown of={history}>
        {({ items, isLast }) => items.length === 0
          ? <p className="soft">{words.say("page.noMovements")}</p>
          : (
            <>
              <ul className="rows ledger">{items.map((one, index) => <Movement key={`${one.transaction ?? ""} ${one.block} ${index}`} movement={one} />)}</ul>
              {!isLast && <p><Link to={`/wallet/history?chain=${chain}`}>{words.say("page.allMovements")}</Link></p>}
            </>
          )}
      </Shown>
    </section>
  );
}
