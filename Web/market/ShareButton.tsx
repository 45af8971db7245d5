import { useState } from "react";
import { Button } from "../shared/parts/Button";
import { Icon } from "../shared/parts/Icon";
import { useWords } from "../shared/words";

/** Copies the address of the screen; where the browser forbids that, it is shown to be copied by hand. */
export function ShareButton({ title }: { readonly title: string }) {
  const words = useWords();
  const [state, setState] = useState<"no" | "copied" | "by hand">("no");
  const link = window.location.href;

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(link);
      setState("copied");
    } catch {
      setState("by hand");
    }
  }

  return (
    <>
      <Button isSmall onClick={() => void copy()}><Icon name={state === "copied" ? "check" : "copy"} />{words.say("page.copyLink")}</Button>
      <span role="status" className="small soft">
        {state === "copied" && words.say("page.copied")}
        {state === "by hand" && <span className="address" title={title}>{link}</span>}
      </span>
    </>
  );
}
