import { useState } from "react";
import { useWords } from "../words";
import { Button } from "./Button";
import { Icon } from "./Icon";

interface Props {
  readonly text: string;
  /** The words of the button. */
  readonly name: string;
}

/** Copies a text; where the browser forbids that, the text is shown to be copied by hand. */
export function CopyButton({ text, name }: Props) {
  const words = useWords();
  const [state, setState] = useState<"no" | "copied" | "by hand">("no");

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
    } catch {
      setState("by hand");
    }
  }

  return (
    <>
      <Button isSmall onClick={() => void copy()}><Icon name={state === "copied" ? "check" : "copy"} />{name}</Button>
      <span role="status" className="small soft">
        {state === "copied" && words.say("page.copied")}
        {state === "by hand" && <span className="address">{text}</span>}
      </span>
    </>
  );
}
