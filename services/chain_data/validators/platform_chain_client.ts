/** Client of the P-Chain RPC: the current validators of the Primary Network. */
import type { ValidatorTotals } from "../checks/measurements.ts";
import { z } from "zod";
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import type { Http } from "../../platform/http/http_client.ts";
import {
  judgeRows,
  nameSource,
  type Sourced,
} from "../../platform/http/upstream_answer.ts";
import { getResult } from "../../platform/http/rpc_client.ts";
import { WholeNumber } from "../../platform/http/numeric_schema.ts";

/** The totals, and why validators could not be read; empty if all could. */
interface ValidatorRows extends Sourced<ValidatorTotals> {
  readonly unread: readonly string[];
}

/** More than all AVAX, in nAVAX. */
const MAX_STAKE = 10n ** 18n;

const Amount = WholeNumber.pipe(z.bigint().max(MAX_STAKE));

/** The fields of a validator by the total that they add to. Older nodes call `weight` `stakeAmount`. */
const FIELDS = {
  delegators: z.object({ delegatorCount: Amount })
    .transform((row) => row.delegatorCount),
  validatorStake: z.object({ weight: Amount }).transform((row) => row.weight)
    .or(
      z.object({ stakeAmount: Amount, weight: z.undefined().optional() })
        .transform((row) => row.stakeAmount),
    ),
  delegatorStake: z.object({ delegatorWeight: Amount })
    .transform((row) => row.delegatorWeight),
};

const Validator = z.looseObject({
  delegatorCount: Amount,
  delegatorWeight: Amount,
  weight: Amount.optional(),
  stakeAmount: Amount.optional(),
}).refine(
  (row) => row.weight !== undefined || row.stakeAmount !== undefined,
  { path: ["weight"] },
);

const ValidatorId = z.object({ nodeID: z.string() });

/** The Primary Network always has validators, so an empty list is an error. */
const CurrentValidators = z.object({
  validators: z.array(z.unknown()).nonempty(),
});

const CALL = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "platform.getCurrentValidators",
  params: {},
});

const NAME = "P-Chain RPC";

/** Creates a client of the RPC at a URL. */
export function platformChain(http: Http, baseUrl: string) {
  const { host } = new URL(baseUrl);

  return {
    /** URL of the RPC, as configured. */
    baseUrl,

    /** Name of the source before the first response. */
    source: nameSource(NAME, { host, simulated: false }),

    /** Reads the current numbers of validators and delegators, and their total stakes. */
    async readValidators(options: CallOptions): Promise<ValidatorRows> {
      const request = new Request(baseUrl, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: CALL,
      });
      const { body, simulated } = await getResult(
        http,
        request,
        CurrentValidators.transform(({ validators }) => totalsOf(validators)),
        options,
      );
      return { ...body, source: nameSource(NAME, { host, simulated }) };
    },
  };
}

/** Adds the fields of all validators. A field that one of them lacks has no total. */
function totalsOf(
  validators: readonly unknown[],
): Pick<ValidatorRows, "body" | "unread"> {
  const { rows, setAside } = judgeRows(validators, {
    parse: (row) => {
      Validator.parse(row);
      return row;
    },
    idOf: (row) => ValidatorId.safeParse(row).data?.nodeID ?? null,
    needsOne: true,
  });
  const isCounted = setAside.every(({ of, isContradicted }) =>
    of !== null && !isContradicted
  );
  const all = [...rows, ...setAside.map(({ row }) => row)];
  const sum = (field: z.ZodType<bigint>): bigint | null => {
    let total = 0n;
    for (const row of all) {
      const read = field.safeParse(row);
      if (!read.success) return null;
      total += read.data;
    }
    return isCounted ? total : null;
  };
  const delegators = sum(FIELDS.delegators);
  return {
    body: {
      validators: isCounted ? all.length : null,
      delegators: delegators === null ? null : Number(delegators),
      validatorStake: sum(FIELDS.validatorStake),
      delegatorStake: sum(FIELDS.delegatorStake),
    },
    unread: setAside.map(({ reason }) => reason),
  };
}

/** The platform chain client. */
export type PlatformChain = ReturnType<typeof platformChain>;
