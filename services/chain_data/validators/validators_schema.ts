/** The query and answer of `GET /validators`. */
import { z } from "@hono/zod-openapi";
import {
  AsOfParameter,
  ChainName,
  Complete,
  daysParameters,
  SERIES,
  withDays,
} from "../catalogue/fields_schema.ts";
import {
  Agrees,
  CheckedHead,
  CheckedTail,
  DifferencePct,
  MarkedItem,
} from "../checks/checked_series_schema.ts";
import { FormatParameter } from "../catalogue/metrics_schema.ts";
import { Day, Instant, query } from "../../platform/wire_schema.ts";

/** The query of `GET /validators`. */
export const ValidatorsQuery = withDays(
  query({
    ...daysParameters("all"),
    asOf: AsOfParameter,
    format: FormatParameter,
  }),
  "all",
);
/** A checked query of `GET /validators`. */
export type ValidatorsQuery = z.infer<typeof ValidatorsQuery>;

const counts = {
  validators: z.number().meta({
    description: "Validators of the Primary Network",
    example: 1107,
  }),
  delegators: z.number().meta({
    description: "Delegators of the Primary Network",
    example: 51232,
  }),
  validatorStake: z.number().meta({
    description: "Stake of validators, in AVAX",
    example: 160961843.5,
  }),
  delegatorStake: z.number().meta({
    description: "Stake of delegators, in AVAX",
    example: 47508210.25,
  }),
  totalStake: z.number().meta({
    description: "Stake of validators and delegators, in AVAX",
    example: 208470053.75,
  }),
};

/**
 * A validator set that the service counted itself; stakes in AVAX. A total is null if
 * the node answered a validator without it; a whole read of the day replaces it.
 */
export const Snapshot = z.object({
  validators: counts.validators.nullable(),
  delegators: counts.delegators.nullable(),
  validatorStake: counts.validatorStake.nullable(),
  delegatorStake: counts.delegatorStake.nullable(),
  totalStake: counts.totalStake.nullable(),
  takenAt: Instant.meta({ description: "When the validator set was read" }),
}).meta({
  id: "ValidatorSnapshot",
});
/** A validator set that the service counted itself; stakes in AVAX. */
export type Snapshot = z.infer<typeof Snapshot>;

/** The answer of `GET /validators`, stakes in AVAX. */
export const ValidatorsAnswer = z.object({
  ...CheckedHead.shape,
  chainName: ChainName.meta({ example: "Primary Network" }),
  unit: CheckedHead.shape.unit.meta({ example: "avax" }),
  series: z.array(z.object({
    day: Day,
    ...counts,
    snapshot: z.union([Snapshot, z.null()]).meta({
      description: "The service's own count of that day; null without one",
    }),
    differencePct: DifferencePct,
    agrees: Agrees,
    complete: Complete,
    ...MarkedItem,
  })).meta({ description: SERIES }),
  latestSnapshot: z.union([Snapshot, z.null()]).meta({
    description: "The service's newest count; null before the first",
  }),
  ...CheckedTail.shape,
}).meta({ id: "Validators" });
/** The answer of `GET /validators`, stakes in AVAX. */
export type ValidatorsAnswer = z.infer<typeof ValidatorsAnswer>;
