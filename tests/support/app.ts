/** The app of a test's dependencies, made once: the first request of an app takes as long as ten others. */
import { createApp } from "../../routes/app.ts";
import type { Deps } from "../../services/deps.ts";

type App = ReturnType<typeof createApp>;

const apps = new WeakMap<object, App>();

/** Returns the app of these dependencies: one process, with what it remembers. */
export function appOf(deps: Deps): App {
  const app = apps.get(deps) ?? createApp(deps);
  apps.set(deps, app);
  return app;
}

/** Ends the process of these dependencies: the next request meets one that remembers nothing. */
export function restart(deps: object): void {
  apps.delete(deps);
}
