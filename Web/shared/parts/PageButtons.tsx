import { useWords } from "../words";
import { Button } from "./Button";

interface Props {
  /** Where the pages before this one ended; none on the first. */
  readonly pages: readonly string[];
  /** Where this page ends, if there is another. */
  readonly next: string | null | undefined;
  readonly onChange: (pages: readonly string[]) => void;
}

/** The ways to newer and older entries of a list; nothing if all are here. */
export function PageButtons({ pages, next, onChange }: Props) {
  const words = useWords();
  if (pages.length === 0 && next == null) return null;
  return (
    <nav className="beside" aria-label={words.say("page.pages")}>
      {pages.length > 0 && <Button isSmall onClick={() => onChange(pages.slice(0, -1))}>{words.say("page.newerOnes")}</Button>}
      {next != null && <Button isSmall onClick={() => onChange([...pages, next])}>{words.say("page.olderOnes")}</Button>}
    </nav>
  );
}
