import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import { Link } from "../shared/parts/Link";
import type { ScreenProps } from "../shared/screens";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { ListView } from "./ListView";

/** One list that hides listings. */
export default function ListScreen({ values }: ScreenProps) {
  const words = useWords();
  const id = values["id"] ?? "";
  const list = useCall("GET /v1/curations/{id}", { path: { id } }, ["curation"]);
  return (
    <div className="stack measure">
      <Title text={list.answer?.name ?? words.say("page.hidingList")} />
      <Shown of={list}>{(found) => <ListView list={found} again={list.again} />}</Shown>
      <p><Link to="/lists">{words.say("page.allLists")}</Link></p>
    </div>
  );
}
