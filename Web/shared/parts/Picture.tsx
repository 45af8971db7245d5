import { useState } from "react";
import { useEvents } from "../events";
import { mediaAddress, type PictureSize } from "../media";
import { Icon } from "./Icon";

interface Props {
  /** The id of the file; none for a thing without a picture. */
  readonly id: string | null | undefined;
  /** The words for its content; empty if those beside it say so. */
  readonly name: string;
  readonly size?: PictureSize;
  readonly form?: "square" | "wide" | "tiny";
  /** Whether all of it is shown, instead of what fills the form. */
  readonly isWhole?: boolean;
}

/** A picture that may still be on its way: it is asked for again when the node has it. */
export function Picture({ id, name, size = 640, form = "square", isWhole = false }: Props) {
  const [tries, setTries] = useState(0);
  const [lacking, setLacking] = useState<string | null>(null);
  useEvents((event) => {
    if (event.type === "media" && event.subject === id && lacking === id) {
      setLacking(null);
      setTries((count) => count + 1);
    }
  });
  const classes = `picture${form === "square" ? "" : ` ${form}`}${isWhole ? " whole" : ""}`;
  const isShown = id != null && lacking !== id;
  return (
    <span className={classes}>
      {isShown
        ? <img key={tries} src={mediaAddress(id, size)} alt={name} loading="lazy" decoding="async" onError={() => setLacking(id)} />
        : <Icon name="picture" />}
    </span>
  );
}
