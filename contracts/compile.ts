/** Compiles the contracts of this folder. Run as a program, it writes their artefacts. */
/** A compiled contract, stored beside its source. */
interface Artefact {
  readonly contract: string;
  readonly compiler: string;
  readonly settings: typeof SETTINGS;
  /** SHA-256 of each source, by import name. */
  readonly sources: Readonly<Record<string, string>>;
  readonly abi: readonly unknown[];
  readonly bytecode: string;
}

/** The contracts. Each has a source file of the same name. */
export const CONTRACTS = [
  "ScoreVerifier",
  "TestBatchTransfer",
  "TestHumanRegistries",
  "TestSmartWallet",
  "TestUsdc",
] as const;

/** The name of a contract. */
type Contract = typeof CONTRACTS[number];

/** The settings of the compiler. */
export const SETTINGS = {
  // The C-Chain supports the instructions of Cancun, but not later ones.
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 200 },
  // The bytecode ends with the hash of the metadata, so that explorers can verify the sources.
  metadata: { bytecodeHash: "ipfs" },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
} as const;

/** Returns the location of a contract's artefact. */
export function artefactUrl(contract: Contract): URL {
  return new URL(`${contract}.json`, import.meta.url);
}

/** Compiles a contract; throws on compiler errors and warnings. */
export async function compile(contract: Contract): Promise<Artefact> {
  const main = `${contract}.sol`;
  const read: Record<string, string> = { [main]: readSource(main) };
  const input = {
    language: "Solidity",
    sources: { [main]: { content: read[main] } },
    settings: SETTINGS,
  };
  const { default: solc } = await import("solc");
  const output = JSON.parse(solc.compile(JSON.stringify(input), {
    import: (name: string) => ({ contents: read[name] = readSource(name) }),
  }));
  const problems: readonly { formattedMessage: string }[] = output.errors ?? [];
  if (problems.length > 0) {
    const messages = problems.map(({ formattedMessage }) => formattedMessage);
    throw new Error(`Cannot compile ${main}: ${messages.join("\n")}`);
  }
  const { abi, evm } = output.contracts[main][contract];
  return {
    contract,
    compiler: solc.version(),
    settings: SETTINGS,
    sources: await hashSources(Object.keys(read)),
    abi,
    bytecode: `0x${evm.bytecode.object}`,
  };
}

/** Returns the SHA-256 of each source by its import name, sorted by name. */
export async function hashSources(
  names: readonly string[],
): Promise<Record<string, string>> {
  const sources: Record<string, string> = {};
  for (const name of names.toSorted()) {
    sources[name] = await sha256(readSource(name));
  }
  return sources;
}

/** Reads a source by its import name, from this folder or from a package. */
function readSource(name: string): string {
  if (!name.includes("/")) return readSource(`./${name}`);
  return Deno.readTextFileSync(new URL(import.meta.resolve(name)));
}

async function sha256(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

if (import.meta.main) {
  for (const contract of CONTRACTS) {
    const artefact = await compile(contract);
    const text = `${JSON.stringify(artefact, null, 2)}\n`;
    await Deno.writeTextFile(artefactUrl(contract), text);
  }
}
