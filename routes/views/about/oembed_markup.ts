/** Markup of this service for pages of other sites. URLs are absolute. */
import { html } from "hono/html";
import type { Html } from "../layout.ts";

/** Title and size of an element, in pixels. */
interface Shown {
  readonly title: string;
  readonly width: number;
  readonly height: number;
}

/** Writes a frame. */
export function frameMarkup(
  url: string,
  { title, width, height }: Shown,
): Html {
  return html`
    <iframe src="${url}" title="${title}" width="${width}"
      height="${height}" loading="lazy" style="border:0"></iframe>
  `;
}

/** Writes a picture that links its page. */
export function pictureMarkup(
  url: string,
  { title, page, width, height }: Shown & { readonly page: string },
): Html {
  return html`
    <a
      href="${page}"><img src="${url}" alt="${title}" width="${width}" height="${height}" loading="lazy"></a>
  `;
}
