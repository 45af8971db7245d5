import { useWords } from "../words";
import { CopyButton } from "./CopyButton";

/** A long text for another program, of which a part is seen, with a button that copies all of it. */
export function CopyText({ label, text }: { readonly label: string; readonly text: string }) {
  const words = useWords();
  return (
    <section className="stack close" aria-label={label}>
      <div className="beside apart"><h3>{label}</h3><span className="beside"><CopyButton text={text} name={words.say("page.copy")} /></span></div>
      {/* It scrolls, so the keyboard must reach it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <p className="bytes address soft small" tabIndex={0} role="region" aria-label={label}>{text}</p>
    </section>
  );
}
