/** Client of the P-Chain RPC: the current validators of the Primary Network. */
import { z } from "zod";
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import type { Http } from "../../platform/http/http_client.ts";
import { getResult } from "../../platform/http/json_rpc_client.ts";
import { WholeNumber } from "../../platform/http/numeric_schema.ts";
import { nameSource, type Sourced } from "../../platform/http/source_names.ts";

/** Numbers of validators and delegators, and their stakes in nAVAX. */
interface ValidatorTotals {
  readonly validators: number;
  readonly delegators: number;
  readonly validatorStake: bigint;
  readonly delegatorStake: bigint;
}

/** Older nodes call `weight` `stakeAmount`. */
const Validator = z.object({
  weight: WholeNumber.optional(),
  stakeAmount: WholeNumber.optional(),
  delegatorCount: WholeNumber,
  delegatorWeight: WholeNumber,
}).transform(({ weight, stakeAmount, ...delegators }) => ({
  ...delegators,
  weight: weight ?? stakeAmount,
})).pipe(z.object({
  weight: z.bigint(),
  delegatorCount: z.bigint(),
  delegatorWeight: z.bigint(),
}));

/** The Primary Network always has validators, so an empty list is an error. */
const CurrentValidators = z.object({
  validators: z.array(Validator).nonempty(),
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
    async readValidators(
      options: CallOptions,
    ): Promise<Sourced<ValidatorTotals>> {
      const request = new Request(baseUrl, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: CALL,
      });
      const { body: { validators }, simulated } = await getResult(
        http,
        request,
        CurrentValidators,
        options,
      );
      const sum = (field: keyof (typeof validators)[number]) =>
        validators.reduce((total, entry) => total + entry[field], 0n);
      return {
        body: {
          validators: validators.length,
          delegators: Number(sum("delegatorCount")),
          validatorStake: sum("weight"),
          delegatorStake: sum("delegatorWeight"),
        },
        source: nameSource(NAME, { host, simulated }),
      };
    },
  };
}

/** The platform chain client. */
export type PlatformChain = ReturnType<typeof platformChain>;
