import { useWords } from "../words";
import { Icon } from "./Icon";

/** The average of an account's reviews, in hundredths of a star, and how many have reviewed it. */
export function Stars({ rating, reviewers }: { readonly rating: number | null | undefined; readonly reviewers: number }) {
  const words = useWords();
  if (rating == null || reviewers === 0) return null;
  const average = (rating / 100).toFixed(1);
  return (
    <span className="stars numbers">
      <Icon name="star" isFilled />
      <span aria-hidden="true">{average} ({reviewers})</span>
      <span className="unseen">{words.say("page.starsOf", { average, count: reviewers })}</span>
    </span>
  );
}
