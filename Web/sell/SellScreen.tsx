import { Link } from "../shared/parts/Link";
import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { OperationProgress } from "../trade/OperationProgress";
import { SellForm } from "./SellForm";

/** Selling something: the form, then what others will see and what it costs, then how far it is. */
export default function SellScreen({ query }: ScreenProps) {
  const words = useWords();
  const operation = query.get("operation");
  const chains = useCall("GET /v1/chains", operation === null ? {} : null);
  const categories = useCall("GET /v1/categories", operation === null ? {} : null);
  return (
    <div className="stack">
      <Title text={words.say("page.sellTitle")} />
      {operation !== null && (
        <div className="measure">
          <OperationProgress id={operation} title={words.say("page.listing")}>
            {(begun) => (
              <div className="beside">
                {begun.state === "failed" && <Link to="/sell" className="button">{words.say("page.tryAgain")}</Link>}
                {begun.state === "done" && begun.subject != null && (
                  <Link to={`/listings/${begun.subject}`} className="button main-action">{words.say("page.toListing")}</Link>
                )}
                {begun.state !== "failed" && <Link to="/sales?list=postings" className="button">{words.say("page.listPostings")}</Link>}
                {begun.state === "done" && <Link to="/sell" className="button bare">{words.say("page.sellAnother")}</Link>}
              </div>
            )}
          </OperationProgress>
        </div>
      )}
      {operation === null && (
        <Shown of={chains}>
          {(known) => <Shown of={categories}>{(all) => <SellForm chains={known} categories={all.map((one) => one.id)} />}</Shown>}
        </Shown>
      )}
    </div>
  );
}
