import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { ArbiterCases } from "./ArbiterCases";
import { ArbiterForm } from "./ArbiterForm";
import { Registrations } from "./Registrations";

/** Deciding disputes for a fee: what it means, the cases, and the registrations. */
export default function ArbiterScreen() {
  const words = useWords();
  const account = useStore(session)?.account.address ?? "";
  const chains = useCall("GET /v1/chains", {});
  const found = useCall("GET /v1/arbitration", { query: { account } }, ["operation"]);
  return (
    <div className="stack far measure">
      <div className="stack close">
        <Title text={words.say("page.arbiterTitle")} />
        <p>{words.say("page.arbiterWhy")}</p>
        <p className="soft">{words.say("page.arbiterPay")}</p>
        <p className="soft">{words.say("page.arbiterNoStake")}</p>
      </div>
      <ArbiterCases />
      <Shown of={found}>
        {(all) => (
          <>
            <Registrations all={all.filter((one) => one.until > 0)} />
            <Shown of={chains}>{(followed) => <ArbiterForm chains={followed} isFirst={all.length === 0} />}</Shown>
          </>
        )}
      </Shown>
    </div>
  );
}
