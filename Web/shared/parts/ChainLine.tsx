import { currencies } from "../currencies";
import { useStore } from "../store";
import { useWords } from "../words";

/** The chain on which something is signed; nothing if the node follows only one. */
export function ChainLine({ chain }: { readonly chain: number | undefined }) {
  const words = useWords();
  const isOnly = new Set(useStore(currencies).map((one) => one.chain)).size < 2;
  if (chain === undefined || isOnly) return null;
  return <p className="soft note">{words.say("page.chain")} {chain}</p>;
}
