import { useState } from "react";
import type { Listing } from "../shared/api";
import { Button } from "../shared/parts/Button";
import { Icon } from "../shared/parts/Icon";
import { useWords } from "../shared/words";
import { ShareDialog } from "./ShareDialog";

/** Opens what can be passed on of a listing. */
export default function ShareButton({ listing }: { readonly listing: Listing }) {
  const words = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button isSmall onClick={() => setOpen(true)}><Icon name="share" />{words.say("page.share")}</Button>
      {isOpen && <ShareDialog listing={listing} onClose={() => setOpen(false)} />}
    </>
  );
}
