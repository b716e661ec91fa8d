/** Page tokens: they look like UUIDs, hold a position and are valid for one listing. */
import { hexBytes } from "../series/noise.ts";

const POSITION_DIGITS = 12;

/** Returns the token of a position in a listing. */
export function pageToken(listing: string, position: number): string {
  const hash = hexBytes(listing, position, 10);
  const variant = `4${hash.slice(13, 16)}-a${hash.slice(17)}`;
  const tail = position.toString(16).padStart(POSITION_DIGITS, "0");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-${variant}-${tail}`;
}

/** Returns the position in a token; null if it is not a token of the listing. */
export function readPageToken(listing: string, token: string): number | null {
  const position = parseInt(token.slice(-POSITION_DIGITS), 16);
  return pageToken(listing, position) === token ? position : null;
}
