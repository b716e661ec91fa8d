/** Requests of one process, counted by surface. */
import { z } from "@hono/zod-openapi";
import { SURFACE_NAMES } from "../surfaces_schema.ts";
import { Instant } from "../wire_schema.ts";

/** Minutes that this process counts over: requests, calls and all else. */
export const COUNTED_MINUTES = 60;

/** The requests of one family. */
export const SurfaceTraffic = z.object({
  family: z.enum(SURFACE_NAMES),
  requests: z.int().meta({ description: "All requests of the window" }),
  clientErrors: z.int().meta({ description: "Answered with 400 to 499" }),
  serverErrors: z.int().meta({ description: "Answered with 500 to 599" }),
}).meta({ id: "SurfaceTraffic" });
/** The requests of one family. */
export type SurfaceTraffic = z.infer<typeof SurfaceTraffic>;

/** The requests of this process. */
export const Traffic = z.object({
  since: Instant.meta({
    description: `An hour ago, or when this process started`,
  }),
  requests: z.int().meta({ description: "All requests since then" }),
  requestsPerMinute: z.number().meta({ description: "The mean since then" }),
  serverErrorPct: z.number().meta({
    description: "Answers of 500 to 599 in percent of all",
  }),
  families: z.array(SurfaceTraffic).meta({ description: "The same by family" }),
}).meta({ id: "Traffic" });
/** The requests of this process. */
export type Traffic = z.infer<typeof Traffic>;
