import type { ListingMedia } from "../shared/api";
import { mediaAddress } from "../shared/media";
import { Icon } from "../shared/parts/Icon";
import { useWords } from "../shared/words";

interface Props {
  readonly media: readonly ListingMedia[];
  /** Whether they stand below a text, without a heading. */
  readonly isSmall?: boolean;
}

/** The documents of a listing or a review. */
export function Documents({ media, isSmall = false }: Props) {
  const words = useWords();
  const documents = media.filter((file) => file.type === "application/pdf");
  if (documents.length === 0) return null;
  return (
    <section className="stack close">
      {!isSmall && <h2>{words.say("page.documents")}</h2>}
      <ul className="choices">
        {documents.map((file, index) => (
          <li key={file.id}>
            <a className="pill" href={mediaAddress(file.id)} target="_blank" rel="noreferrer">
              <Icon name="file" />{words.say("page.document", { number: index + 1 })}
              {file.length != null && <span className="soft">{Math.max(1, Math.round(file.length / 1000))} kB</span>}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
