import { useState } from "react";
import { Dialog } from "../shared/parts/Dialog";
import { Icon } from "../shared/parts/Icon";
import { useWords } from "../shared/words";

/** A picture of a note, which the other side can withhold. */
export function NotePicture({ source, name }: { readonly source: string; readonly name: string }) {
  const words = useWords();
  const [isLacking, setLacking] = useState(false);
  const [isOpen, setOpen] = useState(false);
  if (isLacking) {
    const why = words.say("page.pictureLacks");
    return <span className="picture tiny" title={why}><Icon name="picture" /><span className="unseen">{why}</span></span>;
  }
  return (
    <>
      <button type="button" className="plain note-picture" aria-label={words.say("page.enlarge", { name })} onClick={() => setOpen(true)}>
        <span className="picture"><img src={source} alt={name} loading="lazy" onError={() => setLacking(true)} /></span>
      </button>
      {isOpen && <Dialog title={name} onClose={() => setOpen(false)}><img src={source} alt={name} /></Dialog>}
    </>
  );
}
