/** A real EVM node for tests: Foundry's anvil, on the C-Chain's chain id. */
import {
  createTestClient,
  defineChain,
  type Hex,
  http,
  publicActions,
  toHex,
  walletActions,
} from "viem";
import {
  mnemonicToAccount,
  type PrivateKeyAccount,
  privateKeyToAccount,
} from "viem/accounts";
import { isSkipped } from "../tool.ts";

/** Options of a node. */
interface AnvilOptions {
  /** False: only `mine()` makes blocks. */
  readonly automine?: boolean;
  /** Time of the first block, epoch ms; now by default. */
  readonly startsAt?: number;
  /** The C-Chain's by default. */
  readonly chainId?: number;
}

/** A running node. */
export interface Anvil extends AsyncDisposable {
  readonly url: string;
  /** Whether each transaction gets its own block. */
  readonly automine: boolean;
  /** Test, public and wallet actions; a write names its `account`. */
  readonly client: AnvilClient;
  /** The same ten accounts in each node, each with 10,000 of the native token. */
  readonly accounts: readonly PrivateKeyAccount[];
  /** The private keys of the accounts. */
  readonly privateKeys: readonly Hex[];
  /** Makes blocks, one second apart. */
  mine(blocks: number): Promise<void>;
}

/** A client of a node. */
type AnvilClient = ReturnType<typeof clientOf>;

/** The chain id of the C-Chain. */
const CHAIN_ID = 43_114;

/** The mnemonic of Foundry's own accounts, which the node unlocks. */
const MNEMONIC = "test test test test test test test test test test test junk";

const PRIVATE_KEYS: readonly Hex[] = Array.from({ length: 10 }, (_, index) => {
  const account = mnemonicToAccount(MNEMONIC, { addressIndex: index });
  return toHex(account.getHdKey().privateKey!);
});

/** The only platform whose binary is a dependency. */
const HAS_BINARY = Deno.build.os === "linux" && Deno.build.arch === "x86_64";

/** Whether to skip tests that need a node: the `ignore` of `Deno.test`. */
export const ANVIL_SKIPPED = isSkipped("anvil (linux, x64)", HAS_BINARY);

/** Declares tests that need a node: they are skipped where its binary does not run. */
export const onNode = {
  test(name: string, fn: Deno.TestDefinition["fn"]): void {
    Deno.test({ name, ignore: ANVIL_SKIPPED, fn });
  },
};

/** Runs the node while the stdin of this shell is open: the node ends even if its test is killed. */
const WHILE_INPUT_IS_OPEN = '"$@" & cat >/dev/null; kill -9 $!; wait';

/** Starts a node on a free port and waits until it listens. */
export async function startAnvil(
  { automine = true, startsAt, chainId = CHAIN_ID }: AnvilOptions = {},
): Promise<Anvil> {
  const shell = new Deno.Command("sh", {
    args: [
      "-c",
      WHILE_INPUT_IS_OPEN,
      "sh",
      binaryPath(),
      "--port=0",
      `--chain-id=${chainId}`,
      `--mnemonic=${MNEMONIC}`,
      ...(automine ? [] : ["--no-mining"]),
      ...(startsAt === undefined
        ? []
        : [`--timestamp=${Math.floor(startsAt / 1000)}`]),
    ],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const listening = Promise.withResolvers<string>();
  const drained = drain(shell.stdout, (output) => {
    const address = /Listening on (\S+)/.exec(output)?.[1];
    if (address) listening.resolve(address);
  }).then(() => listening.reject(new Error("Cannot start anvil: it exited")));
  const url = `http://${await listening.promise}`;
  const client = clientOf(url, chainId);
  if (startsAt !== undefined) {
    // Without it, the node adds the real time since its start to its blocks.
    await client.setBlockTimestampInterval({ interval: 1 });
  }
  return {
    url,
    automine,
    client,
    accounts: PRIVATE_KEYS.map((key) => privateKeyToAccount(key)),
    privateKeys: PRIVATE_KEYS,
    mine: (blocks) => client.mine({ blocks, interval: 1 }),
    async [Symbol.asyncDispose]() {
      await shell.stdin.close();
      await shell.status;
      await drained;
    },
  };
}

function clientOf(url: string, id: number) {
  const chain = defineChain({
    id,
    name: "Anvil",
    nativeCurrency: { name: "Avalanche", symbol: "AVAX", decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  });
  return createTestClient({
    mode: "anvil",
    chain,
    transport: http(url),
    cacheTime: 0,
  }).extend(publicActions).extend(walletActions);
}

function binaryPath(): string {
  if (!HAS_BINARY) {
    throw new Error("Cannot start anvil: there is no binary for this platform");
  }
  const manifest = import.meta.resolve(
    "@foundry-rs/anvil-linux-amd64/package.json",
  );
  return new URL("./bin/anvil", manifest).pathname;
}

/** Reads a stream to its end; calls `show` with all text so far after each chunk. */
async function drain(
  stream: ReadableStream<Uint8Array>,
  show: (output: string) => void,
): Promise<void> {
  let output = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    show(output += text);
  }
}
