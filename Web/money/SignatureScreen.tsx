import type { SignatureRequest } from "../shared/api";
import { CopyText } from "../shared/parts/CopyText";
import { Facts } from "../shared/parts/Facts";
import { Link } from "../shared/parts/Link";
import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { SignatureForm } from "./SignatureForm";

/** One thing that the wallet outside the node is asked to sign: its meaning, its bytes, and the answer. */
export default function SignatureScreen({ values }: ScreenProps) {
  const words = useWords();
  const id = values["id"] ?? "";
  const request = useCall("GET /v1/signatures/{id}", { path: { id } });
  return (
    <div className="stack measure">
      <Title text={words.say("page.signatureTitle")} />
      <Shown of={request}>
        {(found) => (
          <>
            <div className="stack close">{found.words.map((one) => <p key={one.detail}>{words.said(one)}</p>)}</div>
            <Bytes request={found} />
            <SignatureForm request={found} />
          </>
        )}
      </Shown>
      <p className="beside"><Link to={`/operations/${id}`}>{words.say("page.operation")}</Link><Link to="/signatures">{words.say("page.signatures")}</Link></p>
    </div>
  );
}

function Bytes({ request: { transaction, typedData } }: { readonly request: SignatureRequest }) {
  const words = useWords();
  if (transaction == null) {
    return typedData == null ? null : <><CopyText label={words.say("page.typedData")} text={typedData} /><p className="soft note">{words.say("page.typedDataHow")}</p></>;
  }
  const { chain, to, value, nonce, nonceMax, gas, data, unsigned, maxFeePerGas, maxPriorityFeePerGas, gasPrice } = transaction;
  const all = { chainId: chain, to, value, data, nonce, gas, maxFeePerGas, maxPriorityFeePerGas, gasPrice };
  return (
    <>
      <Facts of={[
        [words.say("page.receiver"), to == null ? null : <span key="to" className="address">{to}</span>],
        [words.say("page.nonce"), nonce === nonceMax ? String(nonce) : words.say("page.nonceUpTo", { nonce, most: nonceMax })],
        [words.say("page.gas"), String(gas)],
      ]} />
      <CopyText label={words.say("page.unsignedTransaction")} text={unsigned} />
      <CopyText label={words.say("page.transactionFields")} text={JSON.stringify(all)} />
    </>
  );
}
