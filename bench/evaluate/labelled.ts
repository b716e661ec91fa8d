/** Labelled addresses: what an evaluation compares scores with. */
import type { ScoreSignals } from "../../services/model/model.ts";

/** A labelled address. */
export interface Label {
  readonly address: string;
  readonly isHuman: boolean;
  /** Name of the list that it comes from. */
  readonly list: string;
}

/** A labelled address with its signals. */
export interface Labelled extends Label {
  readonly signals: ScoreSignals;
}

/**
 * Reads labels from CSV with the columns address, label (sybil or human) and list.
 * Throws on a line with another shape, and names it.
 */
export function readLabels(csv: string): Label[] {
  const [header, ...lines] = csv.trim().split(/\r?\n/);
  if (header !== "address,label,list") {
    throw new Error(
      `Invalid header "${header}": expected address,label,list`,
    );
  }
  return lines.map((line, nth) => {
    const [address = "", label, list = ""] = line.split(",");
    const isKnown = label === "sybil" || label === "human";
    if (!/^0x[0-9a-fA-F]{40}$/.test(address) || !isKnown || list === "") {
      throw new Error(
        `Invalid line ${
          nth + 2
        } "${line}": expected an address, sybil or human, and the name of a list`,
      );
    }
    return { address: address.toLowerCase(), isHuman: label === "human", list };
  });
}
