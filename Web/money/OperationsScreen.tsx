import { useState } from "react";
import { Empty } from "../shared/parts/Empty";
import { Link } from "../shared/parts/Link";
import { PageButtons } from "../shared/parts/PageButtons";
import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import { useCall } from "../shared/useCall";
import { useLastAnswer } from "../shared/useLastAnswer";
import { useWords } from "../shared/words";
import { OperationRow } from "./OperationRow";

const shownMax = 20;

/** What the account does on the chain, newest first. */
export default function OperationsScreen() {
  const words = useWords();
  const [pages, setPages] = useState<readonly string[]>([]);
  const after = pages.at(-1);
  const query = after === undefined ? { limit: shownMax } : { limit: shownMax, after };
  const list = useLastAnswer(useCall("GET /v1/operations", { query }, ["operation", "sale"]));
  return (
    <div className="stack measure">
      <Title text={words.say("page.operations")} />
      <p className="soft">{words.say("page.operationsWhy")}</p>
      <Shown of={list}>
        {({ items, next }) => items.length === 0
          ? <Empty icon="clock" title={words.say("page.noOperations")}><p>{words.say("page.noOperationsWhy")}</p><Link className="button" to="/search">{words.say("page.toMarket")}</Link></Empty>
          : (
            <>
              <ul className="rows">{items.map((one) => <OperationRow key={one.id} operation={one} />)}</ul>
              <PageButtons pages={pages} next={next} onChange={setPages} />
            </>
          )}
      </Shown>
    </div>
  );
}
