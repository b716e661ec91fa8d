/** SHA-256 hashes in hexadecimal. */
import { createHash } from "node:crypto";

/** A hash of several parts, fed one after the other. */
interface Sha256 {
  update(part: string | Uint8Array): void;
  /** Returns the hash of all parts so far. */
  hex(): string;
}

/** Starts a hash. */
export function sha256(): Sha256 {
  const hash = createHash("sha256");
  return {
    update: (part) => void hash.update(part),
    hex: () => hash.copy().digest("hex"),
  };
}

/** Returns the hash of a text or of bytes. */
export function sha256Hex(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
