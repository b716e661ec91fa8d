/** Job: builds the downloadable files and their manifest. */
export { buildRelease as buildDownloads } from "../services/chain_data/downloads/build_release.ts";
