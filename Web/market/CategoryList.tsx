import { Link } from "../shared/parts/Link";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";

/** The categories in which something is on sale, those with most first. */
export function CategoryList() {
  const words = useWords();
  const { answer } = useCall("GET /v1/categories", {});
  const used = (answer ?? []).filter((one) => one.listings > 0).sort((one, other) => other.listings - one.listings).slice(0, 14);
  // The room stays while they are read, so that nothing jumps.
  return (
    <nav className="strip" aria-label={words.say("page.categories")}>
      {used.map((one) => (
        <Link key={one.id} className="pill" to={one.id === "course" ? "/courses" : `/categories/${encodeURIComponent(one.id)}`}>
          <bdi>{one.name ? words.said(one.name) : one.id}</bdi> <span className="soft numbers">{one.listings}</span>
        </Link>
      ))}
    </nav>
  );
}
