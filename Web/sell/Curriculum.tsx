import type { CurriculumSessionInput } from "../shared/api";
import { useWords } from "../shared/words";

/** The sessions of a course, as its listing shows them. */
export function Curriculum({ sessions }: { readonly sessions: readonly CurriculumSessionInput[] }) {
  const words = useWords();
  return (
    <section className="stack close">
      <h3>{words.say("page.curriculum")}</h3>
      <ol className="stack close sessions">
        {sessions.map(({ title, content }, index) => (
          // The order is all that tells two sessions apart.
          // eslint-disable-next-line react/no-array-index-key
          <li key={index}><bdi className="strong">{title}</bdi>{content !== "" && <p className="lines soft note"><bdi>{content}</bdi></p>}</li>
        ))}
      </ol>
    </section>
  );
}
