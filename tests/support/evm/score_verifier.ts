/** The verifier contract on a test node, and statements for it. */
import { assertInstanceOf } from "@std/assert";
import {
  type Abi,
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  type Hex,
  parseEventLogs,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import artefact from "../../../contracts/ScoreVerifier.json" with {
  type: "json",
};
import {
  type Attestation,
  SCORE_TYPES,
} from "../../../services/attestations/attestations_schema.ts";
import type { Anvil } from "./anvil.ts";
import { SIGNER, SIGNER_KEY } from "../attestations.ts";
import { START } from "../deps.ts";
import { deploy, settle } from "./usdc.ts";

const ABI = artefact.abi as Abi;
const CHAIN_ID = 43_114;
const START_S = Date.parse(START) / 1000;
const WEEK_S = 604_800;
const signer = privateKeyToAccount(SIGNER_KEY);

/** A function that changes who signs or who owns the contract. */
type ManagingFunction =
  | "acceptOwnership"
  | "addSigner"
  | "cancelOwnershipTransfer"
  | "revokeSigner"
  | "transferOwnership";

/** A statement with its signature. */
export interface Signed {
  readonly message: Attestation;
  readonly signature: Hex;
}

/** Deploys the contract; account 0 is the subject of statements, account 1 the owner. */
export async function openVerifier(anvil: Anvil) {
  const { client } = anvil;
  const [subject, owner] = anvil.accounts as [
    PrivateKeyAccount,
    PrivateKeyAccount,
  ];
  const address = await deploy(anvil, artefact, [owner.address, SIGNER]);
  const call = { address, abi: ABI } as const;

  /** Sends a statement, whether or not it can be accepted; returns the hash of the transaction. */
  const send = ({ message, signature }: Signed): Promise<Hex> =>
    client.writeContract({
      ...call,
      functionName: "accept",
      args: [message, signature],
      account: subject,
      // With a gas limit, the client does not simulate the call first.
      gas: 200_000n,
    });

  return {
    address,
    subject,
    owner,

    /** Signs a statement of the subject as the service would, with changes. */
    async sign(
      changes: Partial<Attestation> = {},
      { by = signer, chainId = CHAIN_ID, verifyingContract = address } = {},
    ): Promise<Signed> {
      const message: Attestation = {
        subject: subject.address.toLowerCase(),
        score: "57",
        humanity: "49",
        tier: 3,
        verifiedHuman: false,
        issuedAt: String(START_S),
        expiresAt: String(START_S + WEEK_S),
        nonce: String(START_S * 1_000_000),
        ...changes,
      };
      const signature = await by.signTypedData({
        domain: {
          name: "Firn Score",
          version: "1",
          chainId,
          verifyingContract,
        },
        types: SCORE_TYPES,
        primaryType: "ScoreAttestation",
        message: message as never,
      });
      return { message, signature };
    },

    send,

    /** Accepts a statement in a block; returns the result of the contract. */
    async accept(signed: Signed): Promise<unknown> {
      const { logs } = await settle(anvil, await send(signed));
      const [log] = parseEventLogs({ abi: ABI, logs }) as { args?: unknown }[];
      return log?.args;
    },

    /** Calls a function that must revert; returns the error and its arguments. */
    refusal(functionName: string, args: unknown[], from = subject) {
      return refusalOf(() =>
        client.simulateContract({ ...call, functionName, args, account: from })
      );
    },

    /** Calls a function that changes nothing. */
    read: (functionName: string, args: unknown[]) =>
      client.readContract({ ...call, functionName, args }),

    /** Calls a function in a block, as the owner unless another caller is given. */
    async manage(
      functionName: ManagingFunction,
      args: readonly Address[],
      account = owner,
    ) {
      const hash = await client.writeContract({
        ...call,
        functionName,
        args,
        account,
      });
      await settle(anvil, hash);
    },

    /** Makes a block at an instant, in seconds since 1970. */
    async passTo(timestamp: number): Promise<void> {
      await client.setNextBlockTimestamp({ timestamp: BigInt(timestamp) });
      await client.mine({ blocks: 1 });
    },
  };
}

async function refusalOf(call: () => Promise<unknown>): Promise<unknown[]> {
  const error = await call().then(() => null, (error) => error);
  assertInstanceOf(error, BaseError);
  const reverted = error.walk((cause) =>
    cause instanceof ContractFunctionRevertedError
  );
  assertInstanceOf(reverted, ContractFunctionRevertedError, error.message);
  return [reverted.data?.errorName, ...reverted.data?.args ?? []];
}
