import type { CourseTermsInput } from "../shared/api";
import { Facts } from "../shared/parts/Facts";
import { Time } from "../shared/parts/Time";
import { useWords } from "../shared/words";

function timeAt(seconds: number) {
  return <Time key={seconds} at={new Date(seconds * 1000).toISOString()} />;
}

/** How many seats a round has, and when it takes place. */
export function RoundFacts({ course }: { readonly course: CourseTermsInput }) {
  const words = useWords();
  return (
    <Facts of={[
      [words.say("page.seats"), course.seats], [words.say("page.starts"), timeAt(course.startsAt)], [words.say("page.endsOn"), timeAt(course.endsAt)],
    ]} />
  );
}
