/** Verified Human numbers: one counter, each given once. */
import type { Profile } from "./profile.ts";
import { withAudit } from "../platform/kv/audit_store.ts";
import { checkAndSet } from "../platform/kv/commit.ts";
import * as keys from "./keys.ts";

/** Verified Human numbers in a store. */
export function humanStore(kv: Deno.Kv) {
  /** The last grant of this process: all want the one counter, so they take turns. */
  let last: Promise<unknown> = Promise.resolve();

  function give(
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
     * Gives a profile the next number and returns it, or the one that it has; null
     * where nobody has claimed the address. Numbers are 1, 2, 3… without a gap.
     */
    grant(
      address: string,
      cause: { at: number; requestId: string | null },
    ): Promise<number | null> {
      const granted = last.then(() => give(address, cause));
      last = granted.catch(() => {});
      return granted;
    },

    /** Finds whose a number is. */
    async find(number: number): Promise<string | null> {
      return (await kv.get<string>(keys.human(number))).value;
    },
  };
}
