import { address } from "./call";

/** The sizes in which the node gives a picture: the longer side in pixels. */
export type PictureSize = 160 | 640;

/** Where a picture or a document is. Without a size it is the whole file. */
export function mediaAddress(id: string, size?: PictureSize): string {
  return address("/v1/media/{id}", { id }, { size });
}
