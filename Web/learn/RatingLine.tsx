import { Icon } from "../shared/parts/Icon";
import { useWords } from "../shared/words";

interface Props {
  /** From 0 to 100; nothing while nobody has rated. */
  readonly average: number | null | undefined;
  /** How many have rated, if that is known. */
  readonly raters?: number | null | undefined;
}

/** How students have rated a course, or that nobody has yet. */
export function RatingLine({ average, raters }: Props) {
  const words = useWords();
  if (average == null || raters === 0) return <span className="soft">{words.say("page.notRatedYet")}</span>;
  return (
    <span className="stars numbers">
      <Icon name="star" isFilled />
      {raters == null ? words.say("page.ratedOf", { average }) : words.say("page.ratedBy", { average, count: raters })}
    </span>
  );
}
