import { address } from "./call";
import { session } from "./session";

/** The sizes in which the node gives a picture: the longer side in pixels. */
export type PictureSize = 160 | 640;

/**
 * Where a picture or a document is. Without a size it is the whole file.
 *
 * The account says which of the browser's sessions asks for it, since no token goes with it.
 */
export function mediaAddress(id: string, size?: PictureSize, account = session.get()?.account.address): string {
  return address("/v1/media/{id}", { id }, { size, as: account });
}
