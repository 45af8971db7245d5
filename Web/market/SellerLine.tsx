import { Person } from "../shared/parts/Person";
import { Stars } from "../shared/parts/Stars";
import { useCall } from "../shared/useCall";

/** The seller of a listing, with the stars of all reviews. */
export function SellerLine({ account }: { readonly account: string }) {
  const profile = useCall("GET /v1/profiles/{id}", { path: { id: account } }, ["profile"]);
  const reputation = useCall("GET /v1/reputation", { query: { account } });
  return (
    <div className="beside">
      <Person account={account} name={profile.answer?.name} avatar={profile.answer?.avatar} />
      {reputation.answer !== null && <Stars rating={reputation.answer.rating} reviewers={reputation.answer.reviewers} />}
    </div>
  );
}
