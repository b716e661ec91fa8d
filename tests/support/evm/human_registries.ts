/** Stand-ins of the registries of unique humans on a test node, at their real addresses. */
import type { Abi, Address, Hex } from "viem";
import artefact from "../../../contracts/TestHumanRegistries.json" with {
  type: "json",
};
import {
  PROOF_CONTRACTS,
  VERIFIED_ACCOUNT,
} from "../../../services/profiles/human_proofs_client.ts";
import type { Anvil } from "./anvil.ts";
import { deploy, settle } from "./usdc.ts";

type Registry = keyof typeof PROOF_CONTRACTS;

/** Puts the stand-in at the address of every registry. */
export async function openRegistries(anvil: Anvil) {
  const { client } = anvil;
  const deployed = await deploy(anvil, artefact);
  const bytecode = await client.getCode({ address: deployed });
  for (const address of Object.values(PROOF_CONTRACTS)) {
    await client.setCode({ address, bytecode: bytecode! });
  }
  const write = async (
    registry: Registry,
    functionName: string,
    args: readonly unknown[],
  ): Promise<void> => {
    const hash = await client.writeContract({
      address: PROOF_CONTRACTS[registry],
      abi: artefact.abi as Abi,
      functionName,
      args,
      account: anvil.accounts.at(-1)!,
    });
    await settle(anvil, hash);
  };
  return {
    /** Verifies a World ID until an instant, epoch seconds. */
    verifyWorldId: (account: string, until: number) =>
      write("worldAddressBook", "setVerifiedUntil", [account, BigInt(until)]),

    /** Attests a Coinbase account, with changes. */
    async attest(
      account: string,
      changes: Partial<
        Record<
          | "schema"
          | "time"
          | "expirationTime"
          | "revocationTime"
          | "recipient"
          | "attester",
          unknown
        >
      > = {},
    ) {
      const uid: Hex = `0x${account.slice(2).padStart(64, "7")}`;
      const schema = VERIFIED_ACCOUNT;
      await write("coinbaseIndexer", "setUid", [account, schema, uid]);
      await write("attestations", "setAttestation", [{
        uid,
        schema,
        time: 0n,
        expirationTime: 0n,
        revocationTime: 0n,
        refUID: `0x${"0".repeat(64)}`,
        recipient: account,
        attester: PROOF_CONTRACTS.coinbaseAttester,
        revocable: true,
        data: "0x01",
        ...changes,
      }]);
    },

    /** Stores a passport score with its four decimals; times in epoch seconds. */
    score: (
      registry: "passportBase" | "passportOptimism",
      user: string,
      score: { score: number; time: number; expirationTime?: number },
    ) => {
      const { time, expirationTime = 0 } = score;
      return write(registry, "setScore", [user as Address, {
        score: score.score,
        time: BigInt(time),
        expirationTime: BigInt(expirationTime),
      }]);
    },

    /** Removes the code of a registry. */
    async remove(registry: Registry): Promise<void> {
      await client.setCode({
        address: PROOF_CONTRACTS[registry],
        bytecode: "0x",
      });
    },
  };
}
