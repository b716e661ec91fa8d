// CSV in and out: what @std/csv exports, without its streams.
export * from "./parse.ts";
export * from "./stringify.ts";
