/**
 * Copies a text, and returns whether it could: browsers hide the clipboard from pages over http.
 * @param {string} text
 * @returns {Promise<boolean>}
 */
export async function copyText(text) {
  return await navigator.clipboard?.writeText(text)
    .then(() => true, () => false) ?? false;
}
