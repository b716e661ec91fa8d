// The writer of @std/csv, built for npm, behind the original's types.
// @ts-types="./stringify.d.ts"
export * from "deno-std/csv/stringify.js";
