/** Files that must not outlive a command. */

/** Signals that end a command, and its exit code after them. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

const paths = new Set<string>();

const listeners = Object.entries(SIGNALS).map(([signal, code]) => ({
  signal: signal as keyof typeof SIGNALS,
  onSignal() {
    for (const path of paths) removeIfThere(path);
    Deno.exit(code);
  },
}));

/**
 * Removes a file or a folder, whose path `make` returns, if a signal ends the process
 * before the answer is disposed. No signal comes between making it and this promise.
 */
export function removedOnSignal(
  make: () => string,
): Disposable & { readonly path: string } {
  if (paths.size === 0) {
    for (const { signal, onSignal } of listeners) {
      Deno.addSignalListener(signal, onSignal);
    }
  }
  const path = make();
  paths.add(path);
  return {
    path,
    [Symbol.dispose]() {
      paths.delete(path);
      if (paths.size > 0) return;
      for (const { signal, onSignal } of listeners) {
        Deno.removeSignalListener(signal, onSignal);
      }
    },
  };
}

function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
