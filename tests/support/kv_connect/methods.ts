/** The methods of the data path: reads, writes and watches. */
import { type Counts, noteRead, noteWrite } from "./counts.ts";
import type { Database } from "./database.ts";
import { type Faults, takeOne } from "./faults.ts";
import {
  decodeAtomicWrite,
  decodeSnapshotRead,
  decodeWatch,
  encodeAtomicWriteOutput,
  encodeSnapshotReadOutput,
  encodeWatchOutput,
  type KvEntry,
  READ,
  type ReadRange,
  WRITE,
} from "./messages.ts";
import { sliceOf } from "./replica.ts";
import { pass, refuse } from "./responses.ts";

/** When an answer breaks off. */
const BREAK_MS = 20;

/** A database with its faults. */
export interface Served extends Counts {
  readonly id: string;
  readonly database: Database;
  readonly faults: Faults;
  underWay: number;
  /** The longest chain of requests that are answered. */
  answeredRounds: number;
  /** `Authorization` headers and when their tokens expire, epoch ms. */
  readonly tokens: Map<string, number>;
  /** The entries of a replica that stands still. */
  replica: readonly KvEntry[] | null;
}

type Method = (
  served: Served,
  body: Uint8Array,
  asked: { readonly request: Request; readonly round: number },
) => Promise<Response>;

/** The methods by their name in the path. */
export const METHODS: Readonly<Record<string, Method>> = {
  async snapshot_read(served, body, { round }) {
    const { database, replica } = served;
    const { ranges } = decodeSnapshotRead(body);
    const found = replica === null
      ? await database.read(ranges)
      : ranges.map((range: ReadRange) => sliceOf(replica, range));
    noteRead(served, round, { ranges, found });
    return protobuf(
      served,
      encodeSnapshotReadOutput({
        ranges: found.map((values) => ({ values })),
        readIsStronglyConsistent: replica === null,
        status: READ.success,
      }),
    );
  },

  async atomic_write(served, body, { round }) {
    const { database, faults } = served;
    const write = decodeAtomicWrite(body);
    noteWrite(served, round, write);
    if (faults.refusesWrites) {
      const status = WRITE.disabled;
      return protobuf(served, encodeAtomicWriteOutput({ status }));
    }
    const versionstamp = await database.write(write);
    const output = versionstamp === null
      ? { status: WRITE.checkFailure }
      : { status: WRITE.success, versionstamp };
    const bytes = encodeAtomicWriteOutput(output);
    if (versionstamp !== null) {
      if (takeOne(faults, "repeatedWrites")) return refuse(503, "try again");
      if (takeOne(faults, "lostAnswers")) return brokenOff();
    }
    return protobuf(served, bytes);
  },

  // deno-lint-ignore require-await -- as the other methods
  async watch({ database }, body, { request }) {
    const keys = decodeWatch(body).keys.map(({ key }) => key);
    const changes = database.watch(keys, request.signal);
    const headers = { "Content-Type": "application/octet-stream" };
    return new Response(ReadableStream.from(watchFrames(changes)), { headers });
  },
};

/** Formats changes: each message has its length before it, in four bytes. */
async function* watchFrames(
  changes: AsyncIterable<(KvEntry | null)[]>,
): AsyncGenerator<Uint8Array> {
  for await (const entries of changes) {
    // Deno 2.9.6 takes an unchanged entry for a deleted one, so all are sent.
    const keys = entries.map((entry) => ({
      changed: true,
      ...entry === null ? {} : { entryIfChanged: entry },
    }));
    const message = encodeWatchOutput({ status: READ.success, keys });
    const frame = new Uint8Array(4 + message.length);
    new DataView(frame.buffer).setUint32(0, message.length, true);
    frame.set(message, 4);
    yield frame;
  }
}

function protobuf(
  { asked }: Served,
  body: Uint8Array<ArrayBuffer>,
): Response {
  asked.bytesOut += body.length;
  const response = new Response(body);
  response.headers.set("Content-Type", "application/x-protobuf");
  return response;
}

/** An answer that the client cannot read to its end. */
function brokenOff(): Response {
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(new Uint8Array([8]));
      // The client has the status by then, so it does not send the request again.
      await pass(BREAK_MS);
      controller.error(new Error("broken off on purpose"));
    },
  });
  return new Response(body);
}
