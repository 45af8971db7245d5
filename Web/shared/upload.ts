import type { MediaFile, Work } from "./api";
import { address, answerIn, CallError } from "./call";
import { session } from "./session";

/** The largest file that the node takes, in bytes. */
export const fileMax = 15 * 1024 * 1024;
/** The largest digital work; its encryption adds the rest. */
export const workMax = fileMax - 28;

/** How long nothing may move, in milliseconds. */
const silenceMax = 60_000;

/** Tells how much of a file is there, from 0 to 1. */
type Tell = (part: number) => void;

/** Adds a picture to the node. Throws a {@link CallError}. */
export function upload(file: Blob, tell: Tell, stop: AbortSignal): Promise<MediaFile> {
  return send<MediaFile>("/v1/media", file, tell, stop);
}

/** Adds a digital work to the node, which keeps it encrypted. Throws a {@link CallError}. */
export function uploadWork(file: File, tell: Tell, stop: AbortSignal): Promise<Work> {
  return send<Work>(address("/v1/works", null, { name: file.name }), file, tell, stop);
}

/** The browser's fetch does not tell how far a file is, so this is no {@link call}. */
function send<Answer extends object>(path: string, file: Blob, tell: Tell, stop: AbortSignal): Promise<Answer> {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    const token = session.get()?.token;
    if (token !== undefined) request.setRequestHeader("Authorization", `Bearer ${token}`);
    const giveUp = (): void => request.abort();
    let timer = window.setTimeout(giveUp, silenceMax);
    request.upload.addEventListener("progress", (event) => {
      tell(event.total === 0 ? 0 : event.loaded / event.total);
      window.clearTimeout(timer);
      timer = window.setTimeout(giveUp, silenceMax);
    });
    request.addEventListener("load", () => {
      try {
        done(answerIn<Answer>(request.status, request.responseText));
      } catch (error) {
        fail(error);
      }
    });
    request.addEventListener("error", () => fail(new CallError(null, true)));
    request.addEventListener("abort", () => fail(new CallError(null, true)));
    request.addEventListener("loadend", () => window.clearTimeout(timer));
    stop.addEventListener("abort", giveUp);
    request.send(file);
  });
}
