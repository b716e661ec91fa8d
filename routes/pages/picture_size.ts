/** Size in pixels of the pictures of pages, as previews of links expect it. */
export const PICTURE_SIZE = { width: 1200, height: 630 } as const;
