// The assertions of @std/assert, built for npm, behind the original's types.
// @ts-types="./mod.d.ts"
export * from "deno-std/assert/mod.js";
