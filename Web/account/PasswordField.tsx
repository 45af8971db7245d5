import { useState } from "react";
import { Button } from "../shared/parts/Button";
import type { LabelledProps } from "../shared/parts/Field";
import { TextField } from "../shared/parts/TextField";
import type { Values } from "../shared/useForm";
import { useWords } from "../shared/words";

interface Props<V extends Values> extends LabelledProps<V> {
  readonly autoComplete: "current-password" | "new-password" | "off";
}

/** A field for something secret, which can be shown while it is typed. */
export function PasswordField<V extends Values>({ ...rest }: Props<V>) {
  const words = useWords();
  const [isShown, setShown] = useState(false);
  return (
    <TextField {...rest} type={isShown ? "text" : "password"} unit={(
      <Button look="bare" isSmall aria-pressed={isShown} onClick={() => setShown(!isShown)}>
        {words.say("page.showTyped")}<span className="unseen"> {rest.label}</span>
      </Button>
    )} />
  );
}
