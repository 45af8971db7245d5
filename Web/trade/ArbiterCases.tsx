import type { Sale } from "../shared/api";
import { Shown } from "../shared/parts/Shown";
import { useAll } from "../shared/useAll";
import { useWords } from "../shared/words";
import { SaleRow } from "./SaleRow";

/** The sales that name the account as their arbiter: those in dispute first, then the others. */
export function ArbiterCases() {
  const words = useWords();
  const found = useAll("GET /v1/sales", {}, ["sale", "operation", "deadline"]);
  return (
    <Shown of={found}>
      {(sales) => {
        const cases = sales.filter((sale) => sale.own === "arbiter" && sale.buyer != null);
        const disputed = cases.filter((sale) => sale.phase === "disputed");
        const others = cases.filter((sale) => sale.phase !== "disputed");
        return (
          <section className="stack">
            <h2>{words.say("page.yourCases")}</h2>
            {disputed.length === 0 ? <p className="soft">{words.say("page.noCases")}</p> : <Rows sales={disputed} />}
            {others.length > 0 && <><h3>{words.say("page.otherCases")}</h3><Rows sales={others} /></>}
          </section>
        );
      }}
    </Shown>
  );
}

function Rows({ sales }: { readonly sales: readonly Sale[] }) {
  return <ul className="rows">{sales.map((sale) => <SaleRow key={sale.id} sale={sale} />)}</ul>;
}
