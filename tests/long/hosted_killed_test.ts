/** Programs that are killed, and those of thousands of steps, over a hosted database. */
import { useHostedDatabases } from "../support/kv/hosted.ts";

await useHostedDatabases();
await import("./imports_killed_test.ts");
await import("./jobs_killed_test.ts");
await import("../e2e/follow_graph_test.ts");
await import("../e2e/processes/payment_processes_test.ts");
await import("../e2e/processes/quota_processes_test.ts");
