import { useState } from "react";
import type { ScreenProps } from "../shared/screens";
import { intentOf } from "../shared/intents";
import { BeginningOperation } from "./BeginningOperation";
import { OperationView } from "./OperationView";

/** An operation with its phases. With the key of an intent instead of an id it begins it first. */
export default function OperationScreen({ values }: ScreenProps) {
  const id = values["id"] ?? "";
  const [intent] = useState(() => intentOf(id));
  return intent === null ? <OperationView id={id} /> : <BeginningOperation intentKey={id} intent={intent} />;
}
