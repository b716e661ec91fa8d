/** Compiles the contracts of this folder; as a program, writes their artefacts beside them. */
import solc from "solc";

/** A compiled contract, as it is kept beside its source. */
export interface Artefact {
  readonly contract: string;
  readonly compiler: string;
  readonly settings: typeof SETTINGS;
  /** SHA-256 of each source that went into it, by the name it is imported by. */
  readonly sources: Readonly<Record<string, string>>;
  readonly abi: readonly unknown[];
  readonly bytecode: string;
}

/** The contracts that are compiled; each has a source of its name. */
export const CONTRACTS = [
  "ScoreVerifier",
  "TestBatchTransfer",
  "TestSmartWallet",
  "TestUsdc",
] as const;

/** The name of a contract. */
export type Contract = typeof CONTRACTS[number];

const SETTINGS = {
  // The C-Chain runs Cancun's instructions and none of those that came later.
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 200 },
  // Its hash ends the bytecode, so that explorers can match the sources.
  metadata: { bytecodeHash: "ipfs" },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
} as const;

/** Returns where the artefact of a contract is kept. */
export function artefactUrl(contract: Contract): URL {
  return new URL(`${contract}.json`, import.meta.url);
}

/** Compiles a contract; throws what the compiler says of it, warnings too. */
export async function compile(contract: Contract): Promise<Artefact> {
  const main = `${contract}.sol`;
  const read: Record<string, string> = { [main]: readSource(`./${main}`) };
  const input = {
    language: "Solidity",
    sources: { [main]: { content: read[main] } },
    settings: SETTINGS,
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), {
    import: (name: string) => ({ contents: read[name] = readSource(name) }),
  }));
  const problems: readonly { formattedMessage: string }[] = output.errors ?? [];
  if (problems.length > 0) {
    const said = problems.map(({ formattedMessage }) => formattedMessage);
    throw new Error(`Cannot compile ${main}: ${said.join("\n")}`);
  }
  const { abi, evm } = output.contracts[main][contract];
  const sources: Record<string, string> = {};
  for (const name of Object.keys(read).sort()) {
    sources[name] = await sha256(read[name]!);
  }
  return {
    contract,
    compiler: solc.version(),
    settings: SETTINGS,
    sources,
    abi,
    bytecode: `0x${evm.bytecode.object}`,
  };
}

/** Reads a source by the name it is imported by: of this folder, or of a package. */
function readSource(name: string): string {
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
