/** Store of Verified Human numbers: one counter, each number granted once. */
import type { Profile } from "./profile.ts";
import { withAudit } from "../platform/kv/audit_store.ts";
import { checkAndSet } from "../platform/kv/commit.ts";
import * as keys from "./keys.ts";

/** Store of Verified Human numbers. */
export function humanStore(kv: Deno.Kv) {
  /** The last grant of this process. Grants run one at a time because they share a counter. */
  let last: Promise<unknown> = Promise.resolve();

  function grantNext(
    address: string,
    { at, requestId }: { at: number; requestId: string | null },
  ): Promise<number | null> {
    const key = keys.profile(address);
    return checkAndSet<Profile, number | null>(kv, key, async ({ value }) => {
      if (value === null) return { value: null };
      if (value.verifiedHuman !== null) return { value: value.verifiedHuman };
      const count = await kv.get<number>(keys.humanCount());
      const number = (count.value ?? 0) + 1;
      const profile: Profile = { ...value, verifiedHuman: number };
      return {
        value: number,
        write: (atomic) =>
          withAudit(atomic, address, {
            at,
            event: "human.grant",
            requestId,
            number,
          })
            .check(count)
            .set(key, profile)
            .set(keys.humanCount(), number)
            .set(keys.human(number), address),
      };
    });
  }

  return {
    /**
     * Returns the number of a profile, and grants the next one if it has none. Null
     * if the address is unclaimed. Numbers are 1, 2, 3… without gaps.
     */
    grant(
      address: string,
      cause: { at: number; requestId: string | null },
    ): Promise<number | null> {
      const granted = last.then(() => grantNext(address, cause));
      last = granted.catch(() => {});
      return granted;
    },

    /** Finds the address with a number. */
    async find(number: number): Promise<string | null> {
      return (await kv.get<string>(keys.human(number))).value;
    },
  };
}
