import type { ListingMedia } from "../api";
import { MediaImage } from "./MediaImage";

interface Props {
  readonly picture: ListingMedia | null | undefined;
  /** The account's name; its first letter stands for a picture that is not there. */
  readonly name: string;
  readonly size?: "mini" | "normal" | "big";
}

/** The picture of an account beside its name. */
export function Avatar({ picture, name, size = "normal" }: Props) {
  const letter = [...name][0]?.toUpperCase() ?? "";
  return (
    <span className={`avatar${size === "normal" ? "" : ` ${size}`}`} aria-hidden="true">
      {picture ? <MediaImage id={picture.id} name="" size={size === "big" ? 640 : 160} instead={letter} /> : letter}
    </span>
  );
}
