/** The Follow button of a profile page. */
import { call, callFor } from "../dashboard/api.js";
import { byId } from "../dashboard/elements.js";
import {
  isProblem,
  onClick,
  problem,
  showMessage,
} from "../dashboard/problems.js";
import { signIn } from "../dashboard/sign_in.js";
import { findWallet, watchWallets } from "../dashboard/wallets.js";

/** @import { FollowAnswer } from "../../services/profiles/profiles_schema.ts" */
/** @typedef {{ wallet: string | null, chainId: number, chainName: string }} FollowSettings the settings of `follow_bar.ts` */

const MESSAGE = "follow-message";

const bar = document.getElementById("follow-bar");
if (bar) openFollowing(bar);

/** @param {HTMLElement} bar */
function openFollowing(bar) {
  /** @type {FollowSettings & { address: string, isFollowed: boolean }} */
  const settings = JSON.parse(bar.dataset.settings ?? "");
  const { address } = settings;
  let { wallet, isFollowed } = settings;
  const button = byId("follow");
  watchWallets(() => {});

  onClick(button, MESSAGE, async () => {
    wallet ??= await signIn(await findWallet(), settings, MESSAGE);
    callFor(wallet);
    if (wallet === address) {
      throw problem("This is your own profile. You cannot follow yourself.");
    }
    show(await change(isFollowed ? "DELETE" : "PUT"));
  });

  /**
   * Follows or unfollows. Signs in again if the session has ended.
   * @param {"PUT" | "DELETE"} method
   * @returns {Promise<FollowAnswer>}
   */
  async function change(method) {
    const path = `/follows/${address}`;
    try {
      return await call(method, path);
    } catch (error) {
      if (!isProblem(error) || error.code !== "SIGNED_OUT") throw error;
      wallet = await signIn(await findWallet(), settings, MESSAGE);
      callFor(wallet);
      return await call(method, path);
    }
  }

  /** @param {FollowAnswer} answer */
  function show({ since, followers }) {
    isFollowed = since !== null;
    byId("follower-count").textContent = String(followers);
    byId("follower-word").textContent = followers === 1
      ? "follower"
      : "followers";
    button.textContent = isFollowed ? "Unfollow" : "Follow";
    showMessage(
      MESSAGE,
      isFollowed ? "You follow this address." : "You no longer follow it.",
      "good",
    );
  }
}
