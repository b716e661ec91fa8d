/** Imports and jobs that are killed, over a hosted database. */
import { useHostedDatabases } from "../support/kv/hosted.ts";

await useHostedDatabases();
await import("./imports_killed_test.ts");
await import("./jobs_killed_test.ts");
