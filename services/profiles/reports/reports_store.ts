/** Store of reports: one record for each reported profile, until the operator has decided. */
import { isClaimed, type StoredProfile } from "../profile.ts";
import { withAudit } from "../../platform/kv/audit_store.ts";
import { checkAndSet } from "../../platform/kv/commit.ts";
import * as keys from "../keys.ts";
import type { ProfileReports, ReportReason } from "./reports_schema.ts";

/** A reported profile. */
interface Reported extends ProfileReports {
  readonly address: string;
}

/** The operator's decision: whether the profile is hidden. */
export type ReportDecision = "hide" | "dismiss";

/** Store of reports. */
export function reportStore(kv: Deno.Kv) {
  return {
    /** Counts a report at an instant, epoch ms. False if nobody has claimed the address. */
    add(address: string, reason: ReportReason, at: number): Promise<boolean> {
      const key = keys.profileReports(address);
      return checkAndSet<ProfileReports, boolean>(
        kv,
        key,
        ({ value: held }, [profile]) => {
          if (!isClaimed(profile!.value as StoredProfile | null)) {
            return { value: false };
          }
          const reports: ProfileReports = {
            counts: {
              ...held?.counts,
              [reason]: (held?.counts[reason] ?? 0) + 1,
            },
            firstAt: held?.firstAt ?? at,
            lastAt: Math.max(at, held?.lastAt ?? at),
          };
          return {
            value: true,
            write: (atomic) => atomic.check(profile!).set(key, reports),
          };
        },
        { also: [keys.profile(address)] },
      );
    },

    /** Lists the reported profiles in the order of their addresses. */
    async *list(): AsyncGenerator<Reported> {
      const prefix = keys.allProfileReports();
      for await (const { key, value } of kv.list<ProfileReports>({ prefix })) {
        yield { address: key[1] as string, ...value };
      }
    },

    /** Removes the reports of a profile, and hides or shows it. False if nobody has claimed it. */
    decide(
      address: string,
      decision: ReportDecision,
      at: number,
    ): Promise<boolean> {
      const key = keys.profile(address);
      return checkAndSet<StoredProfile, boolean>(kv, key, ({ value: held }) => {
        if (!isClaimed(held)) {
          return {
            value: false,
            write: (atomic) => atomic.delete(keys.profileReports(address)),
          };
        }
        const { hiddenAt, ...shown } = held;
        const wasHidden = hiddenAt !== undefined;
        const profile = decision === "hide"
          ? { ...shown, hiddenAt: at }
          : shown;
        return {
          value: true,
          write(atomic) {
            atomic.delete(keys.profileReports(address));
            if (wasHidden === (decision === "hide")) return atomic;
            const event = wasHidden ? "profile.show" : "profile.hide";
            const audit = { at, event, requestId: null } as const;
            return withAudit(atomic.set(key, profile), address, audit);
          },
        };
      });
    },
  };
}
