import { link } from "./events";
import { store } from "./store";

/** Whether the node serves another page than this one. */
export const isOutdated = store(false);

/** The name of this page's own script, which has the hash of its content. */
const own = document.querySelector<HTMLScriptElement>("script[type=module]")?.getAttribute("src");
/** How often at most it is asked for by itself, in milliseconds. */
const pause = 60_000;

/** Asks the node whether it still serves this page. */
export async function checkVersion(): Promise<void> {
  try {
    const reply = await fetch("/", { redirect: "error" });
    const text = await reply.text();
    // A proxy's own page is none of ours.
    if (reply.ok && own != null && text.includes('id="page"')) isOutdated.set(!text.includes(`"${own}"`));
  } catch {
    // The node is away: it is asked again when it is back.
  }
}

/** Asks again after each gap in which the node may have been replaced: a lost connection, or a tab that was not looked at. */
export function followVersion(): void {
  let last = Date.now();
  link.watch(() => {
    if (link.get() === "open") void checkVersion();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden" || Date.now() - last < pause) return;
    last = Date.now();
    void checkVersion();
  });
}
