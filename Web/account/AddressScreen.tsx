import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { AddressForm } from "./AddressForm";

/** The address to which sellers send things. */
export default function AddressScreen() {
  const words = useWords();
  const address = useCall("GET /v1/address", {});
  return (
    <div className="stack measure">
      <Title text={words.say("page.sendingAddress")} />
      <p className="soft">{words.say("page.sendingAddressWhy")}</p>
      <Shown of={address}>{(known) => <AddressForm known={known} />}</Shown>
    </div>
  );
}
