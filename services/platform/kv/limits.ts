/** Limits of Deno KV. */

/** Keys of one `getMany`. */
export const MAX_KEYS_READ = 10;

/** Records that one transaction may check. */
export const MAX_CHECKS = 100;
