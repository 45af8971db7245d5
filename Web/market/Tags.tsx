import { Link } from "../shared/parts/Link";

/** The tags of a listing; each leads to all that has it. */
export function Tags({ tags }: { readonly tags: readonly string[] }) {
  return (
    <ul className="choices">
      {tags.map((tag) => (
        <li key={tag}><Link className="pill" to={`/search?${new URLSearchParams({ tag })}`}><bdi>{tag}</bdi></Link></li>
      ))}
    </ul>
  );
}
