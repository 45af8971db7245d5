import type { Reputation } from "../shared/api";
import { short } from "../shared/addresses";
import { names } from "../shared/currencies";
import { Avatar } from "../shared/parts/Avatar";
import { CopyButton } from "../shared/parts/CopyButton";
import { Stars } from "../shared/parts/Stars";
import { Title } from "../shared/parts/Title";
import { useStore } from "../shared/store";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { PersonActions } from "./PersonActions";

interface Props {
  readonly account: string;
  /** Null while it is read. */
  readonly reputation: Reputation | null;
}

/** An account's own words about itself, and its address. */
export function SellerHead({ account, reputation }: Props) {
  const words = useWords();
  const { answer } = useCall("GET /v1/profiles/{id}", { path: { id: account } }, ["profile"]);
  const known = useStore(names).get(account.toLowerCase());
  const chosen = answer?.name === "" ? undefined : answer?.name;
  const name = known ?? chosen ?? short(account);
  return (
    <header className="seller-head">
      <Avatar picture={answer?.avatar} name={name} size="big" />
      <div className="stack close">
        <Title text={name} />
        {known !== undefined && chosen !== undefined && chosen !== known && (
          <p className="soft note">{words.say("page.callsItself", { name: chosen })}</p>
        )}
        <p className="beside note">
          {reputation !== null && <Stars rating={reputation.rating} reviewers={reputation.reviewers} />}
          {answer !== null && answer.region !== "" && <bdi className="soft">{answer.region}</bdi>}
        </p>
        <div className="beside">
          <span className="address soft">{account}</span>
          <CopyButton text={account} name={words.say("page.copyAddress")} />
        </div>
        <PersonActions account={account} name={name} />
        {answer !== null && answer.about !== "" && <p className="lines measure"><bdi>{answer.about}</bdi></p>}
      </div>
    </header>
  );
}
