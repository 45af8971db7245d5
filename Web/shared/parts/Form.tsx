import { useEffect, useRef, useState, type ReactNode } from "react";
import type { FormState, Values } from "../useForm";
import { useWords } from "../words";
import { Button } from "./Button";
import { Notice } from "./Notice";

interface Props<V extends Values> {
  readonly form: FormState<V>;
  /** The words of the button that sends it. */
  readonly action: string;
  /** Sends it; what it throws is shown. It runs once at a time. */
  readonly onSend: () => Promise<void>;
  readonly children: ReactNode;
  /** Beside the button, such as a way back. */
  readonly beside?: ReactNode;
  readonly look?: "main" | "danger" | "quiet";
  /** Whether it cannot be sent yet, because what it costs is still being read. */
  readonly isWaiting?: boolean;
}

/** A form: its faults stand beside their fields, all at once, and the first one gets the focus. */
export function Form<V extends Values>({ form, action, onSend, children, beside, look = "main", isWaiting = false }: Props<V>) {
  const words = useWords();
  const element = useRef<HTMLFormElement>(null);
  const [isBusy, setBusy] = useState(false);
  const isSending = useRef(false);
  const others = form.faults.get("") ?? [];
  useEffect(() => {
    if (form.refusals === 0) return;
    const first = element.current?.querySelector<HTMLElement>("[aria-invalid], [data-faults]");
    first?.focus();
  }, [form.refusals]);

  async function send(): Promise<void> {
    // A second click before the first is drawn.
    if (isSending.current || isWaiting) return;
    isSending.current = true;
    setBusy(true);
    try {
      await onSend();
    } catch (error) {
      form.fail(error);
    } finally {
      isSending.current = false;
      setBusy(false);
    }
  }

  return (
    <form ref={element} noValidate className="stack" onSubmit={(event) => {
      event.preventDefault();
      void send();
    }}>
      {others.length > 0 && (
        <div data-faults tabIndex={-1}>
          <Notice kind="fault" isNews>{others.map((fault) => <p key={fault}>{fault}</p>)}</Notice>
        </div>
      )}
      {children}
      <div className="beside">
        <Button look={look} type="submit" isBusy={isBusy || isWaiting}>{isBusy ? words.say("page.working") : action}</Button>
        {beside}
      </div>
    </form>
  );
}
