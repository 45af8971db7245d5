import { useState } from "react";
import type { ListingMedia } from "../shared/api";
import { Dialog } from "../shared/parts/Dialog";
import { Picture } from "../shared/parts/Picture";
import { useWords } from "../shared/words";

interface Props {
  readonly media: readonly ListingMedia[];
  readonly title: string;
}

/** The pictures of a listing: one large, the others below it; a click shows all of one. */
export function Gallery({ media, title }: Props) {
  const words = useWords();
  const [index, setIndex] = useState(0);
  const [isWhole, setWhole] = useState(false);
  const pictures = media.filter((file) => file.type == null || file.type.startsWith("image/"));
  const shown = pictures[index] ?? pictures[0];
  const name = (number: number): string => words.say("page.pictureOf", { number: number + 1, count: pictures.length, title });
  if (shown === undefined) return <div className="listing-pictures"><Picture id={null} name="" /></div>;
  return (
    <div className="listing-pictures stack close">
      <button type="button" className="plain" onClick={() => setWhole(true)}
        aria-label={words.say("page.enlarge", { name: name(index) })}>
        <Picture id={shown.id} name={name(index)} isWhole />
      </button>
      {pictures.length > 1 && (
        <ul className="choices">
          {pictures.map((picture, number) => (
            <li key={picture.id}>
              <button type="button" className="plain thumb" aria-pressed={number === index} aria-label={name(number)}
                onClick={() => setIndex(number)}>
                <Picture id={picture.id} name="" size={160} form="tiny" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {isWhole && (
        <Dialog title={name(index)} onClose={() => setWhole(false)}>
          <Picture id={shown.id} name={name(index)} isWhole />
        </Dialog>
      )}
    </div>
  );
}
