import type { PictureSize } from "../media";
import { Icon } from "./Icon";
import { MediaImage } from "./MediaImage";

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

/** A picture in its form, or a sign in its place. */
export function Picture({ id, name, size = 640, form = "square", isWhole = false }: Props) {
  const classes = `picture${form === "square" ? "" : ` ${form}`}${isWhole ? " whole" : ""}`;
  const sign = <Icon name="picture" />;
  return <span className={classes}>{id == null ? sign : <MediaImage id={id} name={name} size={size} instead={sign} />}</span>;
}
