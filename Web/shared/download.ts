import { answerIn, CallError } from "./call";
import { session } from "./session";

/** How long the node may be silent, in milliseconds: it fetches a file from other nodes first. */
const silenceMax = 90_000;

/** A file that has come. */
export interface Download {
  readonly name: string;
  readonly file: Blob;
}

/**
 * Gets a file from the node, and tells how much of it is there, from 0 to 1; null while that is not known.
 *
 * Throws a {@link CallError}. A file can take long, so this is no {@link call}.
 */
export async function download(path: string, tell: (part: number | null) => void, stop: AbortSignal): Promise<Download> {
  const silent = new AbortController();
  let timer = window.setTimeout(() => silent.abort(), silenceMax);
  const abort = (): void => silent.abort();
  stop.addEventListener("abort", abort);
  tell(null);
  try {
    const headers = new Headers();
    const token = session.get()?.token;
    if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
    const reply = await fetch(path, { headers, signal: silent.signal, cache: "no-store", redirect: "error" });
    if (!reply.ok) answerIn(reply.status, await reply.text());
    const whole = Number(reply.headers.get("Content-Length") ?? "0");
    const parts: Uint8Array[] = [];
    let read = 0;
    const reader = reply.body?.getReader();
    for (;;) {
      // eslint-disable-next-line no-await-in-loop -- each part follows the one before
      const next = await reader?.read();
      if (next === undefined || next.done) break;
      parts.push(next.value);
      read += next.value.length;
      tell(whole > 0 ? read / whole : null);
      window.clearTimeout(timer);
      timer = window.setTimeout(() => silent.abort(), silenceMax);
    }
    if (whole > 0 && read !== whole) throw new CallError(null, true);
    return { name: nameIn(reply.headers.get("Content-Disposition") ?? ""), file: new Blob(parts) };
  } catch (error) {
    stop.throwIfAborted();
    throw error instanceof CallError ? error : new CallError(null, true);
  } finally {
    window.clearTimeout(timer);
    stop.removeEventListener("abort", abort);
  }
}

/** Hands a file to the browser, which keeps it where the person keeps downloads. */
export function save({ name, file }: Download): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Marks that turn the direction of a name around, so that it ends as another kind of file, and what no name can have. */
// eslint-disable-next-line no-control-regex
const strange = /[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069/\\]/g;

/** The name in a header such as `attachment; filename*=UTF-8''song.flac`. */
function nameIn(header: string): string {
  try {
    const name = decodeURIComponent(/filename\*=UTF-8''([^;]*)/i.exec(header)?.[1] ?? "").replace(strange, "");
    return name === "" ? "file" : name;
  } catch {
    return "file";
  }
}
