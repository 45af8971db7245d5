import { dateTime } from "../shared/times";
import { useWords, type Words } from "../shared/words";

interface Props {
  /** When it ends, on the chain's clock. */
  readonly end: string;
  /** The chain's time now, in milliseconds. */
  readonly now: number;
}

/** How long until a time on the chain's clock, to the second. */
export function Countdown({ end, now }: Props) {
  const words = useWords();
  const left = Math.max(0, Math.ceil((Date.parse(end) - now) / 1_000));
  return (
    <time className="numbers" role="timer" dateTime={end} title={dateTime(end, words.language)}>
      {left === 0 ? words.say("page.noTimeLeft") : written(left, words)}
    </time>
  );
}

/** The two largest units, and all of them in the last hour. */
function written(seconds: number, words: Words): string {
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3_600) % 24;
  const minutes = Math.floor(seconds / 60) % 60;
  if (days > 0) return words.say("page.daysLeft", { days, hours });
  if (hours > 0) return words.say("page.hoursLeft", { hours, minutes });
  return words.say("page.minutesLeft", { minutes, seconds: seconds % 60 });
}
