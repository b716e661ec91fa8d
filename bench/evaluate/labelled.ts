/** Labelled wallets: what an evaluation compares scores with. */
import type { ChainSignals } from "../../services/model/signals.ts";
import { sha256Hex } from "../../services/platform/bytes.ts";

/**
 * A labelled wallet, as it stands on a line of a file of JSON Lines. Other fields are left
 * alone: earlier models read some of them.
 */
export interface LabelledWallet {
  readonly address: string;
  /** The name of the list that it comes from. */
  readonly list: string;
  /** Without it, the name of the list says it. */
  readonly label?: WalletLabel;
  /** Epoch ms; null without an own transaction. */
  readonly firstTxAt: number | null;
  /** Own transactions, epoch ms, newest first. */
  readonly recentTxAt: readonly number[];
  readonly nonce: number;
  /** `eth` is read as if it were AVAX. */
  readonly gas: { readonly eth: number; readonly units: number };
  /** UTC days with own transactions, newest first. */
  readonly use: {
    readonly days: readonly {
      readonly day: number;
      readonly varied: number;
    }[];
  };
  /** Signals that this service read. Without them, the next fields say the same. */
  readonly chain?: ChainSignals;
  /** Gas of each day of `use.days` in AVAX, had a unit cost 25 nAVAX. */
  readonly days25?: readonly number[];
  /** Epoch ms of the first receipt; null without one. */
  readonly received?: { readonly firstIn: number | null };
  /** Receipts before the first own transaction; what each payer sent in all. */
  readonly before?: {
    readonly count: number;
    readonly eth: number;
    readonly amounts: readonly number[];
  };
}

/** What is known of a wallet. */
type WalletLabel = "honest" | "fraud";

/** A file of labelled wallets. */
export interface LabelledFile {
  /** SHA-256 of its bytes, as hex. */
  readonly sha256: string;
  readonly wallets: readonly LabelledWallet[];
}

/** Parts of the names of lists whose wallets are honest. */
const HONEST = ["normal", "honest", "human", "legit"];

/** Whether a wallet is honest: by its label, else by the name of its list. */
export function isHonest(
  { list, label }: Pick<LabelledWallet, "list" | "label">,
): boolean {
  return label === undefined
    ? HONEST.some((part) => list.toLowerCase().includes(part))
    : label === "honest";
}

/** Parses JSON Lines, compressed by gzip or not. Throws on a line of another shape, and names it. */
export async function readLabelled(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<LabelledFile> {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const readable = new Blob([bytes]).stream().pipeThrough(
    isGzip ? new DecompressionStream("gzip") : new TransformStream(),
  );
  const text = await new Response(readable).text();
  const wallets = text.trim().split("\n").map((line, nth) => {
    const wallet: LabelledWallet = JSON.parse(line);
    if (!isWallet(wallet)) {
      throw new Error(
        `Invalid line ${nth + 1}: expected a labelled wallet, see README.md`,
      );
    }
    return wallet;
  });
  return { sha256: sha256Hex(bytes), wallets };
}

function isWallet(
  { list, recentTxAt, nonce, use, days25, before, received, chain }: Partial<
    LabelledWallet
  >,
): boolean {
  return typeof list === "string" && Array.isArray(recentTxAt) &&
    Number.isSafeInteger(nonce) && Array.isArray(use?.days) &&
    (chain !== undefined || days25?.length === use.days.length &&
        Array.isArray(before?.amounts) && received !== undefined);
}

/** A line of a CSV file of one's own. */
export interface Label {
  readonly address: string;
  readonly list: string;
  readonly label: WalletLabel;
}

/**
 * Reads CSV with the columns address, label (honest or fraud) and list. The label becomes
 * a part of the list's name, since a list may have both. Throws on a line with another shape, and names it.
 */
export function readLabels(csv: string): Label[] {
  const [header, ...lines] = csv.trim().split(/\r?\n/);
  if (header !== "address,label,list") {
    throw new Error(`Invalid header "${header}": expected address,label,list`);
  }
  return lines.map((line, nth) => {
    const [address = "", label, list = ""] = line.split(",");
    const isKnown = label === "honest" || label === "fraud";
    if (!/^0x[0-9a-fA-F]{40}$/.test(address) || !isKnown || list === "") {
      throw new Error(
        `Invalid line ${
          nth + 2
        } "${line}": expected an address, honest or fraud, and the name of a list`,
      );
    }
    const name = `${list} (${label})`;
    return { address: address.toLowerCase(), list: name, label };
  });
}
