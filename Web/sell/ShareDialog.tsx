import type { Listing } from "../shared/api";
import { CopyButton } from "../shared/parts/CopyButton";
import { Dialog } from "../shared/parts/Dialog";
import { QRCode } from "../shared/parts/QRCode";
import { useWords } from "../shared/words";

/** How many letters of the description a text to pass on has. */
const lettersMax = 280;

/** A listing as a text to pass on, its link, and the link as a code. */
export function ShareDialog({ listing, onClose }: { readonly listing: Listing; readonly onClose: () => void }) {
  const words = useWords();
  const { content, anchor } = listing;
  const price = listing.price ?? content.price;
  const link = `stoa:listing/${listing.id}`;
  const letters = [...content.description.replace(/\s+/g, " ")];
  const text = [
    content.title, words.money(price.amount, price.currency, anchor?.chain ?? content.chain ?? undefined, "up"),
    letters.length > lettersMax ? `${letters.slice(0, lettersMax).join("")}…` : letters.join(""), link,
  ].join("\n");
  return (
    <Dialog title={words.say("page.share")} onClose={onClose}>
      <QRCode text={link} />
      <p className="lines share-text"><bdi>{text}</bdi></p>
      <div className="beside">
        <CopyButton text={text} name={words.say("page.copyText")} />
        <CopyButton text={link} name={words.say("page.copyLink")} />
        <CopyButton text={`${window.location.origin}/listings/${listing.id}`} name={words.say("page.copyPageLink")} />
      </div>
      <p className="soft small">{words.say("page.shareWhy")}</p>
    </Dialog>
  );
}
