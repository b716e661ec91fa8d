/** Page tokens that look like UUIDs, hold a position and belong to one listing. */
import { hexBytes } from "../series/noise.ts";

const POSITION_DIGITS = 12;

/** Writes the token of a position within a listing. */
export function pageToken(listing: string, position: number): string {
  const hash = hexBytes(listing, position, 10);
  const variant = `4${hash.slice(13, 16)}-a${hash.slice(17)}`;
  const tail = position.toString(16).padStart(POSITION_DIGITS, "0");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-${variant}-${tail}`;
}

/** Reads the position out of a token, or null if the listing never gave it. */
export function readPageToken(listing: string, token: string): number | null {
  const position = parseInt(token.slice(-POSITION_DIGITS), 16);
  return pageToken(listing, position) === token ? position : null;
}
