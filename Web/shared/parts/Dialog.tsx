import { useEffect, useId, useRef, type ReactNode } from "react";
import { useWords } from "../words";
import { Button } from "./Button";
import { Icon } from "./Icon";

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A question in front of the screen. Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, onClose, children }: Props) {
  const words = useWords();
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    if (dialog !== null && !dialog.open) dialog.showModal();
    return () => {
      dialog?.close();
      // The screen behind it can have changed meanwhile.
      const isThere = before instanceof HTMLElement && before.isConnected;
      (isThere ? before : document.querySelector("h1"))?.focus();
    };
  }, []);
  return (
    <dialog ref={element} className="dialog" aria-labelledby={id} onCancel={(event) => {
      event.preventDefault();
      onClose();
    }}>
      <div className="stack">
        <div className="dialog-head">
          <h2 id={id}>{title}</h2>
          <Button look="bare" className="round" aria-label={words.say("page.close")} onClick={onClose}>
            <Icon name="close" />
          </Button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
