/** Wallet failures, and the messages that the dashboard shows. */
import { assertEquals } from "@std/assert";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { inBrowser } from "../../support/browser/browser.ts";
import {
  openPage,
  openService,
} from "../../support/browser/dashboard_service.ts";
import {
  methodsOf,
  type WalletMethods,
} from "../../support/browser/injected_wallet.ts";

const refuse = (code: number, message = "no") => () => ({
  error: { code, message },
});

/** Wallet failures during sign-in, and the shown messages. */
const MOODS: readonly [
  name: string,
  methods: WalletMethods,
  says: string,
][] = [
  [
    "connecting is declined",
    { eth_requestAccounts: refuse(4001) },
    "You declined in your wallet. Nothing was signed or sent.",
  ],
  [
    "a request is pending",
    { eth_requestAccounts: refuse(-32002) },
    "Your wallet has an open request. Finish or close it first.",
  ],
  [
    "no account is offered",
    { eth_requestAccounts: () => ({ result: [] }) },
    "Your wallet offers no account. Unlock it",
  ],
  [
    "signing is declined",
    { personal_sign: refuse(4001) },
    "You declined in your wallet. Nothing was signed or sent.",
  ],
  [
    "the account is not allowed",
    { personal_sign: refuse(4100) },
    "Your wallet does not allow this page to use the account",
  ],
  [
    "signing is not supported",
    { personal_sign: refuse(4200) },
    "Your wallet does not support this. Please try another one.",
  ],
  [
    "the wallet has its own message",
    { personal_sign: refuse(-32603, "the device is locked") },
    "Your wallet refused: the device is locked",
  ],
  [
    "another account signs",
    { personal_sign: () => ({ result: `0x${"11".repeat(65)}` }) },
    "Invalid signature",
  ],
];

const NOTHING = () => ({ result: null });

/** What the page shows once the wallet is asked to pay, which it declines. */
const ASKED = "You declined in your wallet.";
const STAYS =
  "Nothing was signed or sent. Select Avalanche C-Chain (chain 43114) in your wallet";
const CANCELLED = "Your wallet is still on another network";

/** Wallets on another network, by how they switch; `arrive` is called once they have. */
const NETWORKS: readonly (readonly [
  name: string,
  methods: (arrive: () => void) => WalletMethods,
  says: string,
])[] = [
  ["the network is not switched", () => ({}), CANCELLED],
  ...[4902, -32601, -32603, 4200].map((code) =>
    [
      `an unknown network is ${code}, and adding it switches`,
      (arrive: () => void) => ({
        wallet_switchEthereumChain: refuse(code),
        wallet_addEthereumChain: () => {
          arrive();
          return { result: null };
        },
      }),
      ASKED,
    ] as const
  ),
  [
    "an unknown network is null, and adding it does not switch",
    (arrive) => {
      let isAdded = false;
      return {
        wallet_switchEthereumChain: () => {
          if (isAdded) arrive();
          return { result: null };
        },
        wallet_addEthereumChain: () => {
          isAdded = true;
          return { result: null };
        },
      };
    },
    ASKED,
  ],
  [
    "the wallet switches later than it answers",
    (arrive) => ({
      wallet_switchEthereumChain: () => {
        setTimeout(arrive, 300);
        return { result: null };
      },
    }),
    ASKED,
  ],
  [
    "the wallet can neither switch nor add",
    () => ({
      wallet_switchEthereumChain: refuse(-32601),
      wallet_addEthereumChain: refuse(-32601),
    }),
    STAYS,
  ],
  [
    "the wallet adds the network, and stays where it is",
    () => ({
      wallet_switchEthereumChain: NOTHING,
      wallet_addEthereumChain: NOTHING,
    }),
    STAYS,
  ],
  [
    "adding the network is declined",
    () => ({
      wallet_switchEthereumChain: refuse(-32603),
      wallet_addEthereumChain: refuse(4001),
    }),
    ASKED,
  ],
];

inBrowser.test("every wallet failure shows a message and can be retried", async (t) => {
  await using service = openService();
  let mood: WalletMethods = {};
  const account = privateKeyToAccount(generatePrivateKey());
  const methods = Object.fromEntries(
    Object.entries(methodsOf(account)).map(([name, answer]) => [
      name,
      (...params: unknown[]) => (mood[name] ?? answer)(...params),
    ]),
  );
  const opened = await openPage(service, { account, methods });
  const button = opened.page.getByRole("button", { name: /^Sign in with/ });
  const message = opened.page.locator("#sign-in-message.notice-bad");
  for (const [name, failing, says] of MOODS) {
    await t.step(name, async () => {
      mood = failing;
      await button.click();
      await message.filter({ hasText: says }).waitFor();
      assertEquals(await button.getAttribute("aria-disabled"), null);
    });
  }

  await t.step("a wallet that works again signs in", async () => {
    mood = {};
    assertEquals(await opened.signIn(), account.address.toLowerCase());
    await opened.page.context().close();
  });

  await t.step("a payment from another network", async (t) => {
    let chainId = "0x1";
    let mood: WalletMethods = {};
    const switching = [
      "wallet_switchEthereumChain",
      "wallet_addEthereumChain",
    ].map((name) => [
      name,
      (...params: unknown[]) => mood[name]?.(...params) ?? refuse(4200)(),
    ]);
    const opened = await openPage(service, {
      methods: {
        eth_chainId: () => ({ result: chainId }),
        eth_sendTransaction: refuse(4001),
        ...Object.fromEntries(switching),
      },
    });
    const { page } = opened;
    // Nobody is asked for a network where only a message is signed.
    await opened.signIn();
    await opened.quote("Builder");
    for (const [name, methodsOf, says] of NETWORKS) {
      await t.step(name, async () => {
        chainId = "0x1";
        mood = methodsOf(() => chainId = "0xa86a");
        await opened.pay();
        const yes = says === CANCELLED ? "Cancel" : /^Switch to/;
        await page.getByRole("button", { name: yes }).click();
        await page.getByText(says).waitFor();
      });
    }
  });

  await t.step("a contract signs for its own network only", async () => {
    let chainId = "0x1";
    const account = privateKeyToAccount(generatePrivateKey());
    const { personal_sign } = methodsOf(account);
    const opened = await openPage(service, {
      account,
      methods: {
        eth_chainId: () => ({ result: chainId }),
        wallet_switchEthereumChain: ({ chainId: id }) => {
          chainId = id;
          return { result: null };
        },
        personal_sign: (...params) =>
          chainId === "0x1"
            ? { result: `0x${"11".repeat(65)}` }
            : personal_sign!(...params),
      },
    });
    await opened.page.getByRole("button", { name: /^Sign in with/ }).click();
    await opened.page.getByRole("button", { name: /^Switch to/ }).click();
    await opened.page.getByRole("region", { name: "API keys" }).waitFor();
    assertEquals(chainId, "0xa86a");
  });

  await t.step("the wallet has switched to another account", async () => {
    const other = privateKeyToAccount(generatePrivateKey());
    let offered: string | null = null;
    const opened = await openPage(service, {
      methods: {
        eth_requestAccounts: () => ({
          result: [offered ?? opened.account.address],
        }),
      },
    });
    await opened.signIn();
    offered = other.address;
    await opened.page.getByLabel("Name of a new key").fill("Never made");
    await opened.page.getByRole("button", { name: "Create key" }).click();
    await opened.page.getByText("Switch the account in your wallet")
      .waitFor();
    await opened.page.getByText("You have no keys yet.").waitFor();
  });

  await t.step("the wallet does not support EIP-6963", async () => {
    const opened = await openPage(service, { isOld: true });
    assertEquals(
      await opened.signIn(),
      opened.account.address.toLowerCase(),
    );
  });

  await t.step("no wallet is installed", async () => {
    const { page, violations } = await service.browser.newPage();
    await page.goto(service.url);
    await page.getByText("No wallet was found in this browser.").waitFor();
    assertEquals(
      await page.getByRole("link", { name: "Open in MetaMask" }).count(),
      0,
    );
    assertEquals(await violations(), []);
  });

  await t.step("a phone gets links into the wallet apps", async () => {
    const { page, violations, screenshot } = await service.browser.newPage({
      width: 360,
      isPhone: true,
    });
    await page.goto(service.url);
    const links = page.getByRole("list", { name: "Wallet apps" })
      .getByRole("link");
    await links.first().waitFor();
    const { host } = new URL(service.url);
    const own = encodeURIComponent(service.url);
    assertEquals(
      await links.evaluateAll((all) =>
        all.map((link) => link.getAttribute("href"))
      ),
      [
        `https://link.metamask.io/dapp/${host}/dashboard`,
        "https://core.app",
        `https://go.cb-w.com/dapp?cb_url=${own}`,
        `https://link.trustwallet.com/open_url?coin_id=60&url=${own}`,
      ],
    );
    assertEquals(await violations(), []);
    await screenshot("dashboard-phone-360-light");
  });
});
