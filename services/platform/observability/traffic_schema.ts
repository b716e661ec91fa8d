/** Requests of one process, counted by surface, and the surfaces. */
import { z } from "@hono/zod-openapi";
import { Instant } from "../wire_schema.ts";

/** The surfaces by name, each with its label. */
export const SURFACES = {
  chainData: "Chain data API",
  scoring: "Scoring API",
  account: "Accounts",
  profiles: "Public profiles",
  badges: "Badges",
  mcp: "MCP",
  static: "Static files",
  pages: "Pages and everything else",
} as const satisfies Record<string, string>;

/** The name of a surface. */
export type Surface = keyof typeof SURFACES;
/** The surfaces in the order of an answer. */
export const SURFACE_NAMES = Object.keys(SURFACES) as Surface[];

/** Length in minutes of the window that a process counts over. */
export const COUNTED_MINUTES = 60;

/** UTC days of requests and of incidents that are kept and shown, today included. */
export const HISTORY_DAYS = 90;

/** The requests to one surface. */
export const SurfaceTraffic = z.object({
  family: z.enum(SURFACE_NAMES).meta({
    description: "The surface",
    example: "chainData",
  }),
  requests: z.int().meta({
    description: "Number of requests",
    example: 1200,
  }),
  clientErrors: z.int().meta({
    description: "Responses with status 400 to 499",
    example: 12,
  }),
  serverErrors: z.int().meta({
    description:
      "Failures: responses with status 500 to 599, without 501 and simulated errors of test keys",
    example: 0,
  }),
}).meta({ id: "SurfaceTraffic" });
/** The requests to one surface. */
export type SurfaceTraffic = z.infer<typeof SurfaceTraffic>;

/** The requests to this process. */
export const Traffic = z.object({
  since: Instant.meta({
    description:
      "Start of the window: an hour ago, or when the process started",
  }),
  requests: z.int().meta({
    description: "Requests since then",
    example: 1200,
  }),
  requestsPerMinute: z.number().meta({
    description: "Mean requests per minute since then",
    example: 20,
  }),
  serverErrorPct: z.number().meta({
    description: "Failures in percent of all requests",
    example: 0,
  }),
  families: z.array(SurfaceTraffic).meta({
    description: "Requests by surface",
  }),
}).meta({ id: "Traffic" });
/** The requests to this process. */
export type Traffic = z.infer<typeof Traffic>;
