import { useEffect, useState, type ReactNode } from "react";
import { useEvents } from "../events";
import { mediaAddress, type PictureSize } from "../media";
import { session } from "../session";
import { useStore } from "../store";

interface Props {
  readonly id: string;
  /** The words for its content; empty if those beside it say so. */
  readonly name: string;
  readonly size: PictureSize;
  /** Shown as long as the node does not have it. */
  readonly instead: ReactNode;
}

/** How long until a picture that did not come is asked for again, in milliseconds. */
const pauses = [2_000, 5_000, 15_000, 45_000];

/** The image of a file that may still be on its way: it is asked for again a few times, and when the node has it. */
export function MediaImage(props: Props) {
  const account = useStore(session)?.account.address;
  return <Tried key={`${props.id} ${account}`} {...props} account={account} />;
}

function Tried({ id, name, size, instead, account }: Props & { readonly account: string | undefined }) {
  const [tries, setTries] = useState(0);
  const [isLacking, setLacking] = useState(false);
  const again = (): void => {
    setLacking(false);
    setTries((count) => count + 1);
  };
  useEffect(() => {
    const pause = pauses[tries];
    if (!isLacking || pause === undefined) return undefined;
    const timer = window.setTimeout(again, pause);
    return () => window.clearTimeout(timer);
  }, [isLacking, tries]);
  useEvents((event) => {
    if (isLacking && (event.type === "gap" || (event.type === "media" && event.subject === id))) again();
  });
  if (isLacking) return <>{instead}</>;
  return (
    <img key={tries} src={mediaAddress(id, size, account)} alt={name} loading="lazy" decoding="async"
      onError={() => setLacking(true)} />
  );
}
