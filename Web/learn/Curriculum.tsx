import type { CurriculumSessionInput } from "../shared/api";
import { useWords } from "../shared/words";

interface Props {
  readonly sessions: readonly CurriculumSessionInput[] | null | undefined;
  /** Whether it stands below a second heading. */
  readonly isDeep?: boolean;
}

/** The sessions of a course, as its listing shows them and its sale promises them. */
export function Curriculum({ sessions, isDeep = false }: Props) {
  const words = useWords();
  if (sessions == null || sessions.length === 0) return null;
  const [Heading, Name] = isDeep ? ["h3", "h4"] as const : ["h2", "h3"] as const;
  return (
    <section className="stack close">
      <Heading>{words.say("page.curriculum")}</Heading>
      <ol className="curriculum">
        {sessions.map(({ title, content }, index) => (
          // Two sessions can have the same words.
          // eslint-disable-next-line react/no-array-index-key
          <li key={index}>
            <Name><bdi>{title}</bdi></Name>
            {content !== "" && <p className="lines soft"><bdi>{content}</bdi></p>}
          </li>
        ))}
      </ol>
    </section>
  );
}
