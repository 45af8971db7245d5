import { useState } from "react";
import { Dialog } from "../shared/parts/Dialog";
import { Picture } from "../shared/parts/Picture";
import { useWords } from "../shared/words";

/** A picture of a review, which can be seen large. */
export function ReviewPicture({ id, name }: { readonly id: string; readonly name: string }) {
  const words = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="plain review-picture" aria-label={words.say("page.enlarge", { name })} onClick={() => setOpen(true)}>
        <Picture id={id} name="" size={160} />
      </button>
      {isOpen && <Dialog title={name} onClose={() => setOpen(false)}><Picture id={id} name={name} isWhole /></Dialog>}
    </>
  );
}
