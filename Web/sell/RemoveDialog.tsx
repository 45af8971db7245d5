import { call } from "../shared/call";
import { ConfirmDialog } from "../shared/parts/ConfirmDialog";
import { useWords } from "../shared/words";

interface Props {
  readonly name: "DELETE /v1/drafts/{id}" | "DELETE /v1/works/{id}";
  readonly id: string;
  readonly title: string;
  /** The removed thing in words. */
  readonly what: string;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

/** Asks before something is removed that cannot be brought back. */
export function RemoveDialog({ name, id, title, what, onClose, onRemoved }: Props) {
  const words = useWords();
  return (
    <ConfirmDialog title={title} action={words.say("page.remove")} look="danger" onClose={onClose}
      onAgree={async () => {
        await call(name, { path: { id } });
        onRemoved();
      }}>
      <p><bdi className="strong">{what}</bdi></p>
      <p className="soft note">{words.say("page.removeWhy")}</p>
    </ConfirmDialog>
  );
}
