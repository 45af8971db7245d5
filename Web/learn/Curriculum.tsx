import type { CurriculumSession } from "../shared/api";
import { useWords } from "../shared/words";

/** The sessions of a course, as its sale promises them. */
export function Curriculum({ sessions }: { readonly sessions: readonly CurriculumSession[] | null | undefined }) {
  const words = useWords();
  if (sessions == null || sessions.length === 0) return null;
  return (
    <section className="stack close">
      <h2>{words.say("page.curriculum")}</h2>
      <ol className="curriculum">
        {sessions.map(({ title, content }, index) => (
          // Two sessions can have the same words.
          // eslint-disable-next-line react/no-array-index-key
          <li key={index}>
            <h3><bdi>{title}</bdi></h3>
            {content !== "" && <p className="lines soft"><bdi>{content}</bdi></p>}
          </li>
        ))}
      </ol>
    </section>
  );
}
