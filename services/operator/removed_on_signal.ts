/** Files that must not outlive a command. */

/** Signals that end a command, and its exit code after them. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

const paths = new Set<string>();

/** Removes a file or a folder if a signal ends the process before the answer is disposed. */
export function removedOnSignal(path: string): Disposable {
  if (paths.size === 0) {
    for (const [signal, code] of Object.entries(SIGNALS)) {
      Deno.addSignalListener(signal as keyof typeof SIGNALS, () => {
        for (const each of paths) removeIfThere(each);
        Deno.exit(code);
      });
    }
  }
  paths.add(path);
  return { [Symbol.dispose]: () => void paths.delete(path) };
}

function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
