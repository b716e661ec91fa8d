// The parser of @std/csv, built for npm, behind the original's types.
// @ts-types="./parse.d.ts"
export * from "deno-std/csv/parse.js";
