import type { ReactNode } from "react";
import { useForm } from "../useForm";
import { useWords } from "../words";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { Form } from "./Form";

interface Props {
  readonly title: string;
  /** The words of the button that agrees. */
  readonly action: string;
  readonly look?: "main" | "danger";
  /** Does it; what it throws is shown, and the question stays. */
  readonly onAgree: () => Promise<void>;
  readonly onClose: () => void;
  /** What it means. */
  readonly children: ReactNode;
}

/** Asks once before something that costs nothing but is not easily undone. */
export function ConfirmDialog({ title, action, look = "main", onAgree, onClose, children }: Props) {
  const words = useWords();
  const form = useForm({});
  return (
    <Dialog title={title} onClose={onClose}>
      <Form form={form} action={action} look={look} beside={<Button onClick={onClose}>{words.say("page.notNow")}</Button>}
        onSend={async () => {
          await onAgree();
          onClose();
        }}>
        {children}
      </Form>
    </Dialog>
  );
}
