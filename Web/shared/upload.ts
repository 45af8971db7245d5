import type { MediaFile, Problem } from "./api";
import { CallError } from "./call";
import { session } from "./session";

/** The largest file that the node takes, in bytes. */
export const fileMax = 15 * 1024 * 1024;

/**
 * Adds a picture to the node, and tells how much of it is there, from 0 to 1.
 *
 * Throws a {@link CallError}. The browser's fetch does not tell how far a file is, so this is no {@link call}.
 */
export function upload(file: Blob, tell: (part: number) => void, stop: AbortSignal): Promise<MediaFile> {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/v1/media");
    request.setRequestHeader("Content-Type", "application/octet-stream");
    const token = session.get()?.token;
    if (token !== undefined) request.setRequestHeader("Authorization", `Bearer ${token}`);
    request.upload.addEventListener("progress", (event) => tell(event.total === 0 ? 0 : event.loaded / event.total));
    request.addEventListener("load", () => {
      const answer = parsed(request.responseText);
      if (request.status < 300 && answer !== null) done(answer as MediaFile);
      else fail(new CallError(answer !== null && "code" in answer ? answer as Problem : null, answer === null));
    });
    request.addEventListener("error", () => fail(new CallError(null, true)));
    request.addEventListener("abort", () => fail(new CallError(null, true)));
    stop.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

function parsed(text: string): object | null {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" ? found : null;
  } catch {
    return null;
  }
}
