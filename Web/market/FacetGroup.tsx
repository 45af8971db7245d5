import { useState } from "react";
import { Button } from "../shared/parts/Button";
import { Link } from "../shared/parts/Link";
import { useWords } from "../shared/words";
import { changed, type TermName } from "./searchTerms";

interface Value {
  readonly value: string;
  readonly shown: string;
  /** Null if nobody counts them. */
  readonly count: number | null;
}

interface Props {
  readonly base: string;
  readonly query: URLSearchParams;
  readonly title?: string;
  readonly name: TermName;
  readonly values: readonly Value[];
}

/** How many values are seen at first. */
const first = 6;

/** The values of one property, of which one can be chosen; choosing it again gives it up. */
export function FacetGroup({ base, query, title, name, values }: Props) {
  const words = useWords();
  const [isOpen, setOpen] = useState(false);
  const chosen = query.get(name);
  if (values.length === 0 && chosen === null) return null;
  const shown = isOpen ? values : values.filter((one, index) => index < first || one.value === chosen);
  return (
    <section className="stack close">
      {title !== undefined && <h2 className="note">{title}</h2>}
      <ul className="facet">
        {shown.map((one) => (
          <li key={one.value}>
            <Link to={changed(base, query, { [name]: one.value === chosen ? null : one.value })}
              aria-current={one.value === chosen ? "true" : undefined}>
              <bdi>{one.shown}</bdi> {one.count !== null && <span className="soft numbers">{one.count}</span>}
            </Link>
          </li>
        ))}
      </ul>
      {values.length > first && !isOpen && (
        <p><Button look="bare" isSmall onClick={() => setOpen(true)}>{words.say("page.more")}</Button></p>
      )}
    </section>
  );
}
