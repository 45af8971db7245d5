import { useNow } from "../clock";
import { dateTime, day, fromNow } from "../times";
import { useWords } from "../words";

interface Props {
  readonly at: string;
  /** Day and time, the day alone, or how far from now. */
  readonly as?: "time" | "day" | "distance";
}

/** A time in the reader's own zone. */
export function Time({ at, as = "time" }: Props) {
  const { language } = useWords();
  const now = useNow();
  const whole = dateTime(at, language);
  const shown = as === "time" ? whole : as === "day" ? day(at, language) : fromNow(at, language, now);
  return <time dateTime={at} title={as === "time" ? undefined : whole}>{shown}</time>;
}
