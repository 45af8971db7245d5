import type { Message, Sale } from "../shared/api";
import { Link } from "../shared/parts/Link";
import { Shown } from "../shared/parts/Shown";
import { useCall } from "../shared/useCall";
import { useWords, type PlainCode } from "../shared/words";
import { useKeyMessage } from "./useKeyMessage";
import { isOfWork, placeOf, sizeOf, workOf, type WorkPlace } from "./works";
import { WorkDownload } from "./WorkDownload";

const said = { kept: "page.workKept", keyless: "page.workKeyless", away: "page.workAway", here: "page.workHere" } as const;

/** Tells a seller how far the delivery of the key is. */
function saidToSeller(place: WorkPlace, key: Message | undefined): PlainCode {
  if (place === "kept") return "page.workToRelease";
  return key?.state === "delivered" || key?.state === "read" ? "page.workDelivered" : "page.workSends";
}

/** In the sale of a file: whether its key has come, and the file itself. */
export function WorkPart({ sale }: { readonly sale: Sale }) {
  const words = useWords();
  const isWork = isOfWork(sale);
  const isBuyer = sale.own === "buyer";
  const hasPart = isWork && (isBuyer || sale.own === "seller") && (sale.stage !== "over" || sale.phase === "complete" || sale.phase === "sold");
  const key = useKeyMessage(hasPart && sale.buyer != null ? sale : null);
  const works = useCall("GET /v1/works", hasPart ? {} : null, ["sale", "message", "operation"]);
  if (!hasPart || sale.buyer == null) return null;
  return (
    <section className="stack close">
      <h2>{words.say("page.theFile")}</h2>
      <Shown of={works}>
        {(all) => {
          const place = placeOf(sale, all, key);
          const work = workOf(sale, all);
          const name = work?.name ?? key?.text;
          return (
            <>
              {name !== undefined && (
                <p className="strong"><bdi>{name}</bdi>{work !== undefined && <span className="soft note"> {sizeOf(work.length, words.language)}</span>}</p>
              )}
              <p className="note">{words.say(isBuyer ? said[place] : saidToSeller(place, key))}</p>
              {isBuyer && place !== "kept" && <WorkDownload sale={sale} name={name ?? sale.title ?? ""} isMain={place !== "keyless"} />}
              {isBuyer && sale.stage === "over" && <p className="note"><Link to={`/sell?${new URLSearchParams({ sale: sale.id })}`}>{words.say("page.sellAgain")}</Link></p>}
            </>
          );
        }}
      </Shown>
    </section>
  );
}
