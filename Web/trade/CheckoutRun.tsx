import { useEffect, useRef, useState } from "react";
import { CallError } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { Empty } from "../shared/parts/Empty";
import { Link } from "../shared/parts/Link";
import { Notice } from "../shared/parts/Notice";
import { useWords } from "../shared/words";
import { CheckoutResult } from "./CheckoutResult";
import { begin, isLate, isWaiting, keepRun, keptRun, type Run, type RunLine } from "./agreedPurchases";

/** The purchases of a checkout: each is begun once, also after a reload, and has a result of its own. */
export function CheckoutRun({ id }: { readonly id: string }) {
  const words = useWords();
  const [run, setRun] = useState<Run | null>(() => keptRun(id));
  const [isAway, setAway] = useState(false);
  const [tries, setTries] = useState(0);
  const [wasLate] = useState(() => isLate(run));
  const latest = useRef(run);
  const isAsking = wasLate && tries === 0;

  function put(line: RunLine): void {
    const next = (latest.current ?? []).map((one) => (one.listing === line.listing ? line : one));
    latest.current = next;
    keepRun(id, next);
    setRun(next);
  }

  useEffect(() => {
    let isShown = true;
    async function beginAll(): Promise<void> {
      for (const line of latest.current ?? []) {
        if (!isWaiting(line)) continue;
        // One after the other: each call follows the answer to the one before.
        // eslint-disable-next-line no-await-in-loop
        const begun = await begin(line);
        if (!isShown) return;
        put(begun);
      }
    }
    if (isAsking) return undefined;
    beginAll().catch((error: unknown) => {
      if (!(error instanceof CallError)) throw error;
      if (isShown) setAway(true);
    });
    return () => {
      isShown = false;
    };
    // eslint-disable-next-line react/exhaustive-deps, react-hooks/exhaustive-deps -- it is begun once for each try
  }, [id, tries]);

  if (run === null) {
    return (
      <Empty icon="cart" title={words.say("page.checkoutGone")}>
        <div className="beside">
          <Link className="button" to="/cart">{words.say("page.toCart")}</Link>
          <Link className="button" to="/sales?list=purchases">{words.say("page.listPurchases")}</Link>
        </div>
      </Empty>
    );
  }
  const waits = run.some(isWaiting);
  return (
    <div className="stack measure">
      <p className="soft">{words.say("page.checkoutUnderWay")}</p>
      {(isAway || isAsking) && waits && (
        <Notice kind="warn" isNews>
          {isAway && <p>{words.say("page.nodeAway")}</p>}
          <p>{words.say("page.beginUnknown")}</p>
          <p><Button isSmall onClick={() => {
            setAway(false);
            setTries(tries + 1);
          }}>{words.say("page.tryAgain")}</Button></p>
        </Notice>
      )}
      <ul className="rows">{run.map((line) => <CheckoutResult key={line.listing} line={line} onChange={put} />)}</ul>
      <div className="beside">
        <Link className="button" to="/sales?list=purchases">{words.say("page.listPurchases")}</Link>
        <Link className="button bare" to="/cart">{words.say("page.toCart")}</Link>
      </div>
    </div>
  );
}
