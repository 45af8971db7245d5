import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { Devices } from "./Devices";
import { HomeForm } from "./HomeForm";
import { HomeList } from "./HomeList";
import { RecoveryFound } from "./RecoveryFound";

/** The nodes that keep the account's mail and lists, and what was found again after a recovery. */
export default function HomesScreen() {
  const words = useWords();
  const homes = useCall("GET /v1/homes", {}, ["home", "profile"]);
  const recovery = useCall("GET /v1/recovery", {}, ["home", "profile", "sale"]);
  return (
    <div className="stack far measure">
      <div className="stack">
        <Title text={words.say("page.homes")} />
        <p className="soft">{words.say("page.homesWhy")}</p>
        <Shown of={homes}>{(all) => <HomeList homes={all} again={homes.again} />}</Shown>
        <HomeForm again={homes.again} />
      </div>
      <section className="stack close">
        <h2>{words.say("page.foundAgain")}</h2>
        <p className="soft note">{words.say("page.foundAgainWhy")}</p>
        <Shown of={recovery}>{(report) => <RecoveryFound report={report} />}</Shown>
      </section>
      <Devices />
    </div>
  );
}
