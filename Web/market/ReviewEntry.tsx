import type { Review } from "../shared/api";
import { Icon } from "../shared/parts/Icon";
import { Link } from "../shared/parts/Link";
import { Person } from "../shared/parts/Person";
import { Time } from "../shared/parts/Time";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useWords } from "../shared/words";
import { Documents } from "./Documents";
import { ReviewPicture } from "./ReviewPicture";

/** One review: the stars, the words, the pictures, and how the sale ended. */
export function ReviewEntry({ review }: { readonly review: Review }) {
  const words = useWords();
  const own = useStore(session)?.account.address;
  const price = words.money(review.price.amount, review.price.currency, review.chain);
  const pictures = (review.media ?? []).filter((file) => file.type == null || file.type.startsWith("image/"));
  return (
    <li className="review stack close">
      <div className="beside apart">
        <Person account={review.author} />
        <span className="soft small"><Time at={review.createdAt} as="day" /></span>
      </div>
      <p className="stars" aria-label={words.say("page.starsGiven", { count: review.stars })} role="img">
        {[1, 2, 3, 4, 5].map((star) => <Icon key={star} name="star" isFilled={star <= review.stars} />)}
      </p>
      {review.text !== "" && <p className="lines"><bdi>{review.text}</bdi></p>}
      {pictures.length > 0 && (
        <ul className="choices">
          {pictures.map((file, index) => (
            <li key={file.id}><ReviewPicture id={file.id} name={words.say("page.pictureOfReview", { number: index + 1 })} /></li>
          ))}
        </ul>
      )}
      <Documents media={review.media ?? []} isSmall />
      <p className="soft small">
        {review.round != null && `${words.alone(words.say("page.roundOf", { round: review.round }))} · `}
        {words.say("page.saleEnded", { how: words.named("outcome", review.outcome), price })}
        {review.isContradicted && ` ${words.say("page.contradicted")}`}
      </p>
      {own !== undefined && own !== review.author && (
        <p className="small"><Link to={`/report?${new URLSearchParams({ review: review.record })}`}>{words.say("page.reportReview")}</Link></p>
      )}
    </li>
  );
}
