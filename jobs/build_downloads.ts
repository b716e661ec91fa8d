/** Job: builds the downloadable files and their manifest. */
export { buildRelease as buildDownloads } from "../services/downloads/build_release.ts";
