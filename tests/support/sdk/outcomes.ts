/** What a scripted service does with a request of the SDK, and what the call becomes. */
import { assertRejects } from "@std/assert";
import type { FakeTime } from "@std/testing/time";
import { FirnError } from "../../../sdk/mod.ts";
import type { Scripted } from "./service.ts";

export const answer: Scripted = () => Response.json({ count: 0 });
export const silence: Scripted = () => new Promise<Response>(() => {});
export const offline: Scripted = () => Promise.reject(new TypeError("refused"));

export const refuse = (
  status: number,
  { headers = {}, ...body }: {
    headers?: Record<string, string>;
    code?: string;
  },
): Scripted =>
() =>
  Response.json({ error: "No", message: "No", ...body }, { status, headers });

/** Returns the error that a call fails with. */
export async function failureOf(
  call: PromiseLike<unknown>,
): Promise<FirnError> {
  const promise = Promise.resolve(call);
  return await assertRejects(() => promise, FirnError);
}

/** Moves the clock in small steps until a call has ended. */
export async function settle(time: FakeTime, call: PromiseLike<unknown>) {
  let isPending = true;
  const end = () => isPending = false;
  call.then(end, end);
  while (isPending) await time.tickAsync(50);
}
