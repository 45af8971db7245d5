import { Empty } from "../shared/parts/Empty";
import { Link } from "../shared/parts/Link";
import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { BidHere } from "./BidHere";
import { BuyForm } from "./BuyForm";
import { BuyHead } from "./BuyHead";
import { OperationProgress } from "./OperationProgress";

/** Buying something: where it goes, what it costs and what comes back; then how far the purchase is. */
export default function BuyScreen({ values, query }: ScreenProps) {
  const words = useWords();
  const id = values["id"] ?? "";
  const operation = query.get("operation");
  const found = useCall("GET /v1/listings/{id}", { path: { id }, query: {} }, (event) => event.subject === id || event.type === "sale");
  const address = useCall("GET /v1/address", operation === null ? {} : null);
  return (
    <div className="stack">
      <Title text={words.say(buyTitle(found.answer?.content.payment))} />
      <Shown of={found}>
        {(listing) => (
          <>
            <BuyHead listing={listing} />
            {operation !== null && (
              <div className="measure">
                <OperationProgress id={operation} title={words.say(listing.content.payment === "auction" ? "page.bidding" : "page.buying")}>
                  {(begun) => begun.state === "failed"
                    ? <p><Link to={`/listings/${id}/buy`} className="button">{words.say("page.tryAgain")}</Link></p>
                    : begun.subject != null && (
                      <p>
                        <Link to={`/sales/${begun.subject}`} className={`button${begun.state === "done" ? " main-action" : ""}`}>
                          {words.say("page.toSale")}
                        </Link>
                      </p>
                    )}
                </OperationProgress>
              </div>
            )}
            {operation === null && (listing.state === "open"
              ? (
                <Shown of={address}>
                  {(known) => listing.content.payment === "auction"
                    ? <BidHere listing={listing} address={known} again={found.again} />
                    : <BuyForm listing={listing} address={known} />}
                </Shown>
              )
              : (
                <Empty icon="tag" title={words.say("page.notForSale")}>
                  <p>{words.alone(words.said(listing.status))}</p>
                  <Link to={`/listings/${id}`} className="button">{words.say("page.toListing")}</Link>
                </Empty>
              ))}
          </>
        )}
      </Shown>
    </div>
  );
}

function buyTitle(payment: string | undefined): "page.bidTitle" | "page.enrol" | "page.buyTitle" {
  return payment === "auction" ? "page.bidTitle" : payment === "enrolment" ? "page.enrol" : "page.buyTitle";
}
