import type { CurationDraft } from "../shared/api";
import { call } from "../shared/call";
import { ConsentDialog } from "../shared/parts/ConsentDialog";
import { go } from "../shared/router";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";

interface Props {
  readonly draft: CurationDraft;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Shows what publishing a list means, and does it after one consent. */
export function PublishDialog({ draft, onDone, onClose }: Props) {
  const words = useWords();
  const preview = useCall("POST /v1/curations/preview", { body: draft, query: {} });
  return (
    <ConsentDialog title={words.say("page.publishList")} action={words.say("page.publish")} of={preview} onClose={onClose}
      onAgree={async () => {
        const { id } = await call("POST /v1/curations", { body: draft });
        onDone();
        onClose();
        go(`/lists/${id}`, "replace");
      }} />
  );
}
