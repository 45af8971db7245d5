import type { Sale } from "../shared/api";
import { ReviewEntry } from "../market/ReviewEntry";
import { Link } from "../shared/parts/Link";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";

/** What both sides say about a sale that is over, and the way to review it. */
export function SaleReviews({ sale }: { readonly sale: Sale }) {
  const words = useWords();
  const canReview = sale.nextSteps.some((step) => step.words.code === "next.review");
  const hasEnded = sale.stage === "over" || sale.course != null;
  const reviews = useCall("GET /v1/reviews", hasEnded ? { query: { sale: sale.id, limit: 20 } } : null, ["review", "sale"]);
  const items = reviews.answer?.items ?? [];
  if (!canReview && items.length === 0) return null;
  return (
    <section className="stack">
      <h2>{words.say("page.reviews")}</h2>
      {items.length > 0 && <ul className="rows measure">{items.map((review) => <ReviewEntry key={review.record} review={review} />)}</ul>}
      {canReview && (
        <div className="stack close">
          <p className="soft">{words.say("page.writeReviewWhy")}</p>
          <p><Link to={`/sales/${sale.id}/review`} className="button">{words.say("page.writeReview")}</Link></p>
        </div>
      )}
    </section>
  );
}
