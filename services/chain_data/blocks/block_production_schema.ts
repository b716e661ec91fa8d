/** The query and answer of `GET /block-production`. */
import { z } from "@hono/zod-openapi";
import {
  AsOfParameter,
  Complete,
  daysParameters,
  EXPLORER_SOURCE,
  SERIES,
  SeriesSource,
  withDays,
} from "../catalogue/fields_schema.ts";
import {
  Agrees,
  CheckedHead,
  CheckedTail,
  MarkedItem,
} from "../checks/checked_series_schema.ts";
import { FormatParameter } from "../catalogue/metrics_schema.ts";
import { Day, Instant, query } from "../../platform/wire_schema.ts";

/** The numbers of days that a mean block time can cover. */
export const BLOCK_WINDOWS = ["7", "30", "90"] as const;

/** The query of `GET /block-production`. */
export const BlocksQuery = withDays(
  query({
    window: z.enum(BLOCK_WINDOWS).default("30").meta({
      description: "Days that the mean block time covers",
    }),
    ...daysParameters("all"),
    asOf: AsOfParameter,
    format: FormatParameter,
  }),
  "all",
);
/** A checked query of `GET /block-production`. */
export type BlocksQuery = z.infer<typeof BlocksQuery>;

/** A call that verifies a sample. */
const BlockCall = z.object({
  method: z.literal("eth_getBlockByNumber").meta({
    description: "JSON-RPC method",
  }),
  params: z.tuple([z.string(), z.literal(false)]).meta({
    description: "Its parameters",
    example: ["0x5fdcb8e", false],
    // Some tools require it beside `prefixItems`.
    items: {},
    minItems: 2,
    maxItems: 2,
  }),
  expected: z.string().meta({
    description: "What the timestamp of the block proves",
    example: "timestamp before 2026-11-01T00:00:00.000Z",
  }),
}).meta({ id: "BlockCall" });

/** A day whose blocks were counted by the RPC. Four calls verify the count. */
export const Sample = z.object({
  day: Day,
  firstBlock: z.int().meta({
    description: "Number of the day's first block",
    example: 100518255,
  }),
  firstBlockTimestamp: Instant.meta({
    description: "When the day's first block was produced",
    example: "2026-11-01T00:00:00.000Z",
  }),
  previousBlock: z.int().nullable().meta({
    description:
      "Number of the block before it; null if the day has the chain's first block",
    example: 100518254,
  }),
  previousBlockTimestamp: Instant.nullable().meta({
    description: "When that block was produced",
    example: "2026-10-31T23:59:59.000Z",
  }),
  nextDayFirstBlock: z.int().meta({
    description: "Number of the next day's first block",
    example: 100597569,
  }),
  rpcBlocks: z.int().meta({
    description: "Blocks of the day, counted by the C-Chain RPC",
    example: 79314,
  }),
  blocks: z.int().nullable().meta({
    description:
      "Blocks of the day by the explorer index; null if it has no value",
    example: 79314,
  }),
  agrees: Agrees,
  calls: z.array(BlockCall).meta({
    description:
      "Calls to any node that verify the sample: the last block before the day, its first and last block, and the first block after it",
  }),
}).meta({ id: "BlockSample" });
/** A day whose blocks were counted by the RPC. */
export type Sample = z.infer<typeof Sample>;

/** The answer of `GET /block-production`. */
export const BlocksAnswer = z.object({
  ...CheckedHead.shape,
  window: z.int().meta({
    description: "Days that the mean block time covers, ending with the day",
    example: 30,
  }),
  series: z.array(z.object({
    day: Day,
    blocks: z.number().meta({
      description: "Blocks of the day, by the explorer index",
      example: 79314,
    }),
    meanBlockTimeSeconds: z.number().nullable().meta({
      description:
        "Mean block time over the window; null if a day of the window is missing",
      example: 1.0919,
    }),
    complete: Complete,
    ...MarkedItem,
  })).meta({ description: SERIES }),
  samples: z.array(Sample).meta({
    description: "Days whose blocks were also counted by the C-Chain RPC",
  }),
  ...CheckedTail.shape,
  lagHours: z.number().meta({
    description:
      "Hours since the blocks were read from the explorer index, which a job does once a day",
    example: 5.3,
  }),
  source: SeriesSource.meta({ example: EXPLORER_SOURCE }),
}).meta({ id: "BlockProduction" });
/** The answer of `GET /block-production`. */
export type BlocksAnswer = z.infer<typeof BlocksAnswer>;
