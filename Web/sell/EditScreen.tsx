import type { Listing } from "../shared/api";
import { Empty } from "../shared/parts/Empty";
import { Link } from "../shared/parts/Link";
import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { EditForm } from "./EditForm";

/** Changing what a listing says; what its sale fixes is shown, and stays. */
export default function EditScreen({ values }: ScreenProps) {
  const words = useWords();
  const id = values["id"] ?? "";
  const own = useStore(session)?.account.address.toLowerCase();
  const listing = useCall("GET /v1/listings/{id}", { path: { id }, query: { own: true } });
  const categories = useCall("GET /v1/categories", {});
  const isOwn = ({ author }: Listing): boolean => author.toLowerCase() === own;
  return (
    <div className="stack measure">
      <Title text={words.say("page.editTitle")} />
      <Shown of={listing}>
        {(found) => isOwn(found)
          ? <Shown of={categories}>{(all) => <EditForm listing={found} categories={all.map((one) => one.id)} />}</Shown>
          : (
            <Empty icon="tag" title={words.say("page.notYours")}>
              <Link to={`/listings/${found.id}`} className="button">{words.say("page.toListing")}</Link>
            </Empty>
          )}
      </Shown>
    </div>
  );
}
