import { useEffect } from "react";
import type { Operation } from "../shared/api";
import { call } from "../shared/call";
import { Link } from "../shared/parts/Link";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { useWords } from "../shared/words";
import { OperationProgress } from "../trade/OperationProgress";
import { forgetBegun } from "./begun";
import { SellStart } from "./SellStart";

/** Selling something: the form, then what others will see and what it costs, then how far it is. */
export default function SellScreen({ query }: ScreenProps) {
  const words = useWords();
  const operation = query.get("operation");
  return (
    <div className="stack">
      <Title text={words.say("page.sellTitle")}><Link to="/selling" className="button small">{words.say("page.ownListings")}</Link></Title>
      {operation === null
        ? <SellStart key={query.toString()} query={query} />
        : (
          <div className="measure">
            <OperationProgress id={operation} title={words.say("page.listing")}>
              {(begun) => <Onward operation={begun} draft={query.get("draft")} />}
            </OperationProgress>
          </div>
        )}
    </div>
  );
}

interface Props {
  readonly operation: Operation;
  /** The draft that it lists, which is removed once it is listed. */
  readonly draft: string | null;
}

/** Where to go from a listing that has begun. */
function Onward({ operation, draft }: Props) {
  const words = useWords();
  const { id, state, subject } = operation;
  useEffect(() => {
    if (state !== "done") return;
    forgetBegun(id);
    // A draft that stays does no harm.
    if (draft !== null) call("DELETE /v1/drafts/{id}", { path: { id: draft } }).catch(() => undefined);
  }, [id, state, draft]);
  const again = new URLSearchParams({ again: id, ...(draft !== null && { draft }) });
  return (
    <div className="beside">
      {state === "failed" && <Link to={`/sell?${again}`} className="button">{words.say("page.tryAgain")}</Link>}
      {state === "done" && subject != null && <Link to={`/listings/${subject}`} className="button main-action">{words.say("page.toListing")}</Link>}
      {state !== "failed" && <Link to="/sales?list=postings" className="button">{words.say("page.listPostings")}</Link>}
      {state === "done" && <Link to="/sell" className="button bare">{words.say("page.sellAnother")}</Link>}
    </div>
  );
}
