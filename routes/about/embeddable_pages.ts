/** The pages that others can embed: what is shown of them, by URL. */
import type { AppDeps } from "../deps.ts";
import { isChecked } from "../../services/charts/charts_schema.ts";
import { listChains, listForExplorer } from "../../services/charts/explorer.ts";
import {
  ExplorerQuery,
  type ExplorerState,
  type ListedChain,
} from "../../services/charts/explorer_schema.ts";
import { resolveState } from "../../services/charts/explorer_state.ts";
import { Address } from "../../services/platform/address_schema.ts";
import { shortAddress } from "../views/short_address.ts";
import { Fault } from "../../services/platform/fault.ts";
import { readPublicProfile } from "../../services/profiles/profiles.ts";
import { lastValues } from "../charts/explorer.ts";
import { printable, titleOf } from "../views/charts/chart_words.ts";
import type { Html } from "../views/layout.ts";
import { frameMarkup, pictureMarkup } from "../views/about/oembed_markup.ts";
import { embedPath, picturePath } from "../views/charts/explorer_links.ts";

/** In pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** What is shown of a page. */
interface Embeddable {
  readonly title: string;
  /** Absolute URL of the page's picture. */
  readonly picture: string;
  /** The usual size. */
  readonly size: Size;
  /** Whether a smaller size keeps the proportions. */
  readonly isScaled: boolean;
  readonly markup: (size: Size) => Html;
}

/** Usual sizes of a frame and of a picture. */
const FRAME: Size = { width: 800, height: 480 };
const PICTURE: Size = { width: 600, height: 315 };

/** A kind of page, by its path; null if the path is another one. */
type Finder = (
  deps: AppDeps,
  url: URL,
) => Promise<Embeddable | null> | Embeddable | null;

const FINDERS: readonly Finder[] = [
  findView,
  findChain,
  findScore,
  findProfile,
];

/** Finds what is shown of a page. Throws a fault for every other URL. */
export async function findEmbeddable(
  deps: AppDeps,
  given: string,
): Promise<Embeddable> {
  const url = URL.parse(given);
  if (url !== null && url.origin === new URL(deps.publicUrl).origin) {
    for (const find of FINDERS) {
      const found = await find(deps, url);
      if (found !== null) return found;
    }
  }
  throw new Fault(
    `Cannot embed "${given}": expected an explorer, chain, score or profile page below ${deps.publicUrl}`,
    { kind: "unknownPath" },
  );
}

/** Finds a view of the explorer. Other spellings are the same view. */
async function findView(
  deps: AppDeps,
  { pathname, searchParams }: URL,
): Promise<Embeddable | null> {
  if (pathname !== "/") return null;
  const chains = await listForExplorer(deps);
  const found = viewOf(deps, searchParams, chains);
  // Without a list the view may exist: the fault of the upstream says so.
  if (found === null && chains.length === 0) await listChains(deps);
  return found;
}

function viewOf(
  { publicUrl }: AppDeps,
  searchParams: URLSearchParams,
  chains: readonly ListedChain[],
): Embeddable | null {
  const state = stateOf(searchParams, chains);
  if (state === null) return null;
  const names = namesOf(state, chains);
  if (names === null) return null;
  const { metric, view } = state;
  const title = titleOf({ name: metric, chainNames: names, view });
  return {
    title,
    picture: `${publicUrl}${picturePath(state, "png")}`,
    size: FRAME,
    isScaled: false,
    markup: (size) =>
      frameMarkup(`${publicUrl}${embedPath(state)}`, { title, ...size }),
  };
}

/** Returns the state of an explorer page; null if the explorer refuses the query. */
function stateOf(
  parameters: URLSearchParams,
  chains: readonly ListedChain[],
): ExplorerState | null {
  const given = Object.fromEntries(
    [...parameters.keys()].map((name) =>
      [name, parameters.getAll(name)] as const
    ),
  );
  const checked = ExplorerQuery.safeParse(lastValues(given));
  if (!checked.success) return null;
  try {
    return resolveState(checked.data, chains);
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

/** Returns the names of the chains of a view; null if one is unknown. */
function namesOf(
  { metric, chainIds }: ExplorerState,
  chains: readonly ListedChain[],
): string[] | null {
  if (isChecked(metric)) {
    return [metric === "validators" ? "Primary Network" : "C-Chain"];
  }
  const names = chainIds.flatMap((id) =>
    chains.find(({ chainId }) => chainId === id)?.chainName ?? []
  );
  return names.length === chainIds.length ? names : null;
}

async function findChain(
  deps: AppDeps,
  { pathname }: URL,
): Promise<Embeddable | null> {
  const [, id] = pathname.match(/^\/chains\/([1-9]\d*)$/) ?? [];
  if (id === undefined) return null;
  const chains = await listChains(deps);
  const chain = chains.find(({ chainId }) => String(chainId) === id);
  return chain === undefined ? null : cardOf(deps, {
    title: printable(chain.chainName),
    page: `/chains/${id}`,
    picture: `/card/chain/${id}.png`,
  });
}

function findScore(deps: AppDeps, { pathname }: URL): Embeddable | null {
  const [, given] = pathname.match(/^\/tools\/score\/([^/]+)$/) ?? [];
  const { data: address } = Address.safeParse(given);
  return address === undefined ? null : cardOf(deps, {
    title: `Score of ${shortAddress(address)}`,
    page: `/tools/score/${address}`,
    picture: `/card/score/${address}.png`,
  });
}

async function findProfile(
  deps: AppDeps,
  { pathname }: URL,
): Promise<Embeddable | null> {
  const [, given] = pathname.match(/^\/profiles\/([^/]+)$/) ?? [];
  if (given === undefined) return null;
  const { data: address } = Address.safeParse(given);
  const profile = await readPublicProfile(deps, address ?? given)
    .catch((error) => {
      if (error instanceof Fault) return null;
      throw error;
    });
  // The page of an address exists without a profile.
  const path = profile?.slug ?? address;
  return path === undefined ? null : cardOf(deps, {
    title: `${
      profile?.displayName ?? shortAddress(profile?.address ?? path)
    }: profile`,
    page: `/profiles/${path}`,
    picture: `/card/profile/${path}.png`,
  });
}

/** A picture with a link to its page. Paths are below the public URL. */
function cardOf(
  { publicUrl }: AppDeps,
  { title, page, picture }: {
    readonly title: string;
    readonly page: string;
    readonly picture: string;
  },
): Embeddable {
  const source = `${publicUrl}${picture}`;
  return {
    title,
    picture: source,
    size: PICTURE,
    isScaled: true,
    markup: (size) =>
      pictureMarkup(source, { title, page: `${publicUrl}${page}`, ...size }),
  };
}
