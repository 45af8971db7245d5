import { useState, type ReactNode } from "react";
import { Button } from "../shared/parts/Button";
import { TextField } from "../shared/parts/TextField";
import type { FormState, Values } from "../shared/useForm";
import { useWords } from "../shared/words";

interface Props<V extends Values> {
  readonly form: FormState<V>;
  readonly name: keyof V & string;
  readonly label: string;
  readonly hint?: ReactNode;
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
