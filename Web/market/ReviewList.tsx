import { useState } from "react";
import { Button } from "../shared/parts/Button";
import { Shown } from "../shared/parts/Shown";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { ReviewEntry } from "./ReviewEntry";

/** The reviews of an account, the newest first, a page at a time. */
export function ReviewList({ account }: { readonly account: string }) {
  const words = useWords();
  const [after, setAfter] = useState<string | undefined>(undefined);
  const query = after === undefined ? { account, limit: 20 } : { account, limit: 20, after };
  const reviews = useCall("GET /v1/reviews", { query }, ["review"]);
  return (
    <section className="stack">
      <h2>{words.say("page.reviews")}</h2>
      <Shown of={reviews}>
        {(page) => page.items.length === 0
          ? <p className="soft">{words.say("page.noReviews")}</p>
          : (
            <>
              <ul className="rows measure">{page.items.map((review) => <ReviewEntry key={review.record} review={review} />)}</ul>
              <div className="beside">
                {after !== undefined && <Button onClick={() => setAfter(undefined)}>{words.say("page.firstPage")}</Button>}
                {page.next != null && (
                  <Button onClick={() => setAfter(page.next ?? undefined)}>{words.say("page.nextPage")}</Button>
                )}
              </div>
            </>
          )}
      </Shown>
    </section>
  );
}
