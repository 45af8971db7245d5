import { useState } from "react";
import type { WalletMovement } from "../shared/api";
import { Empty } from "../shared/parts/Empty";
import { PageButtons } from "../shared/parts/PageButtons";
import { Shown } from "../shared/parts/Shown";
import { useCall } from "../shared/useCall";
import { useLastAnswer } from "../shared/useLastAnswer";
import { useWords } from "../shared/words";
import { Movement } from "./Movement";

interface Props {
  readonly chain: number;
  readonly isShown: (movement: WalletMovement) => boolean;
}

const shownMax = 50;

/** A page of movements, those that the filter lets through. */
export function HistoryList({ chain, isShown }: Props) {
  const words = useWords();
  const [pages, setPages] = useState<readonly string[]>([]);
  const after = pages.at(-1);
  const query = { chain, limit: shownMax, ...(after === undefined ? {} : { after }) };
  const history = useLastAnswer(useCall("GET /v1/wallet/history", { query }, ["sale", "operation"]));
  return (
    <Shown of={history}>
      {({ items, next }) => {
        const found = items.filter(isShown);
        return (
          <>
            {found.length === 0
              ? <Empty icon="wallet" title={words.say(items.length === 0 ? "page.noMovements" : "page.noneOnPage")} />
              : <ul className="rows ledger">{found.map((one, index) => <Movement key={`${one.transaction ?? ""} ${one.block} ${index}`} movement={one} />)}</ul>}
            <PageButtons pages={pages} next={next} onChange={setPages} />
          </>
        );
      }}
    </Shown>
  );
}
