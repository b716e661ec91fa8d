/** Names of wallets, resolved forward only: from the name to the address that its holder set. */
import { dayAt, formatDay } from "../platform/days.ts";
import {
  readerCallOptions,
  visitorRequester,
} from "../platform/rate_limit/call_budget.ts";
import { invalidParameter, upstreamDown } from "../platform/fault.ts";
import type { ProfilesDeps } from "./deps.ts";
import type { NameRecord } from "./avax_names_client.ts";

/** Labels of Avvy Domains. Other letters, which may look like these, have no names. */
const NAME = /^(?:[a-z0-9-]{1,62}\.){1,3}avax$/;

/** Returns a text as a name, lower-case; null if it is none, or names are not read here. */
export function readName(
  { upstream }: Pick<ProfilesDeps, "upstream">,
  text: string,
): string | null {
  const name = text.toLowerCase();
  return upstream.names.length > 0 && NAME.test(name) ? name : null;
}

/**
 * Returns the address that a name leads to, lower-case, for a visitor's network. Every
 * node must agree. Throws a fault that says why the name leads to none.
 */
export async function resolveName(
  { share, upstream }: Pick<ProfilesDeps, "share" | "upstream">,
  name: string,
  client: string | undefined,
): Promise<string> {
  const record = await share(`avax-name/${name}`, async () => {
    const options = readerCallOptions(visitorRequester(client));
    const records = await Promise.all(
      upstream.names.map(async (node) =>
        (await node.readName(name, options)).body
      ),
    );
    const [first, ...others] = records.map((one) => JSON.stringify(one));
    if (others.some((other) => other !== first)) {
      throw upstreamDown("the C-Chain", `its nodes disagree about ${name}`);
    }
    return records[0]!;
  }, client);
  if (record.kind === "found") return record.address;
  throw invalidParameter("address", name, EXPECTED[record.kind](record));
}

type Unresolved = Exclude<NameRecord, { kind: "found" }>;

/** What was expected of a name that leads to no address. */
const EXPECTED: {
  readonly [Kind in Unresolved["kind"]]: (record: Unresolved) => string;
} = {
  unregistered: () => "a name that is registered; this one is not",
  suspended: () => "a name that is not suspended",
  noAddress: () => "a name with a C-Chain address; its holder has set none",
  expired: (record) =>
    `a name whose registration lasts; this one ended on ${
      record.kind === "expired" ? formatDay(dayAt(record.at)) : ""
    }`,
};
