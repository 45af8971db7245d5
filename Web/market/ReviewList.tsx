import { useState } from "react";
import { Button } from "../shared/parts/Button";
import { Shown } from "../shared/parts/Shown";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { ReviewEntry } from "./ReviewEntry";

interface Props {
  /** Whose reviews: those of an account, or of a listing. */
  readonly of: { readonly account: string } | { readonly listing: string };
  /** Whether nothing is shown if there is none. */
  readonly hidesNone?: boolean;
}

/** Reviews, the newest first, a page at a time. */
export function ReviewList({ of, hidesNone = false }: Props) {
  const words = useWords();
  const [after, setAfter] = useState<string | undefined>(undefined);
  const query = after === undefined ? { ...of, limit: 20 } : { ...of, limit: 20, after };
  const reviews = useCall("GET /v1/reviews", { query }, ["review"]);
  if (hidesNone && after === undefined && (reviews.answer?.items.length ?? 0) === 0) return null;
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
