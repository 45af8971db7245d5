import { useState } from "react";
import type { Sale } from "../shared/api";
import { Meter } from "../shared/parts/Meter";
import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import { go } from "../shared/router";
import type { ScreenProps } from "../shared/screens";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { CourseProgress } from "../learn/CourseProgress";
import { ChosenDialog } from "./ChosenDialog";
import { DeliveryTo } from "./DeliveryTo";
import { ItemHistory } from "./ItemHistory";
import { Moves, type Chosen } from "./Moves";
import { OperationProgress } from "./OperationProgress";
import { Proposals } from "./Proposals";
import { SaleAuction } from "./SaleAuction";
import { SaleFacts } from "./SaleFacts";
import { SaleHead, titleOf } from "./SaleHead";
import { SaleHistory } from "./SaleHistory";
import { SaleReviews } from "./SaleReviews";
import { saleSteps } from "./saleSteps";
import { Turn } from "./Turn";
import { WorkPart } from "./WorkPart";

/** A sale: whose turn it is, until when and what then; how far it is, what the account can do, and what was said. */
export default function SaleScreen({ values, query }: ScreenProps) {
  const words = useWords();
  const id = values["id"] ?? "";
  const found = useCall("GET /v1/sales/{id}", { path: { id } }, ["sale", "operation", "deadline", "message", "profile"]);
  return (
    <div className="stack">
      {found.answer === null && <Title text={words.say("page.sale")} />}
      <Shown of={found}>{(sale) => <SaleShown sale={sale} operation={query.get("operation")} again={found.again} />}</Shown>
    </div>
  );
}

interface Props {
  readonly sale: Sale;
  /** What the account has begun in it. */
  readonly operation: string | null;
  readonly again: () => void;
}

function SaleShown({ sale, operation, again }: Props) {
  const words = useWords();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [begunNow, setBegunNow] = useState<string | null>(null);
  const close = (): void => setChosen(null);
  const begun = (id: string): void => {
    close();
    setBegunNow(id);
    go(`/sales/${sale.id}?${new URLSearchParams({ operation: id })}`, "replace");
  };
  const told = (): void => {
    close();
    again();
  };
  return (
    <>
      <Title text={titleOf(sale, words)} />
      <div className="sale">
        <div className="stack far">
          <Turn sale={sale} />
          <SaleAuction sale={sale} again={again} />
          {operation !== null && <OperationProgress id={operation} isNew={operation === begunNow} title={words.say("page.underWay")} />}
          <Meter name={words.say("page.howFar")} steps={saleSteps(sale, words)} />
          <Proposals sale={sale} />
          <Moves sale={sale} onChoose={setChosen} />
          <SaleReviews sale={sale} />
          <WorkPart sale={sale} />
          <CourseProgress sale={sale} />
          <SaleHistory sale={sale} />
          {sale.item != null && <ItemHistory token={sale.item} chain={sale.chain} current={sale.id} />}
        </div>
        <aside className="stack far">
          <SaleHead sale={sale} />
          <DeliveryTo sale={sale} />
          <SaleFacts sale={sale} />
        </aside>
      </div>
      {chosen !== null && (
        <ChosenDialog sale={sale} chosen={chosen} onClose={close} onBegun={begun} onTold={told} onChoose={setChosen} />
      )}
    </>
  );
}
