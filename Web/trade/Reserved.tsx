import { Person } from "../shared/parts/Person";
import { useWords } from "../shared/words";

/** The only account that can buy something. */
export function Reserved({ buyer }: { readonly buyer: string }) {
  const words = useWords();
  return (
    <div className="beside note"><span className="soft">{words.say("page.reservedFor")}</span> <Person account={buyer} size="mini" /></div>
  );
}
