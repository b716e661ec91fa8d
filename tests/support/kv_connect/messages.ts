/** The messages of KV Connect's data path, version 3, as its public specification numbers their fields. */
import protobuf from "protobufjs";

const { root } = protobuf.parse(`
  syntax = "proto3";

  message SnapshotRead { repeated ReadRange ranges = 1; }
  message ReadRange {
    bytes start = 1;
    bytes end = 2;
    int32 limit = 3;
    bool reverse = 4;
  }
  message SnapshotReadOutput {
    repeated ReadRangeOutput ranges = 1;
    bool read_disabled = 2;
    bool read_is_strongly_consistent = 4;
    int32 status = 8;
  }
  message ReadRangeOutput { repeated KvEntry values = 1; }
  message KvEntry {
    bytes key = 1;
    bytes value = 2;
    int32 encoding = 3;
    bytes versionstamp = 4;
  }

  message AtomicWrite {
    repeated Check checks = 1;
    repeated Mutation mutations = 2;
    repeated Enqueue enqueues = 3;
  }
  message Check { bytes key = 1; bytes versionstamp = 2; }
  message Mutation {
    bytes key = 1;
    KvValue value = 2;
    int32 mutation_type = 3;
    int64 expire_at_ms = 4;
  }
  message KvValue { bytes data = 1; int32 encoding = 2; }
  message Enqueue { bytes payload = 1; }
  message AtomicWriteOutput {
    int32 status = 1;
    bytes versionstamp = 2;
    repeated uint32 failed_checks = 4;
  }

  message Watch { repeated WatchKey keys = 1; }
  message WatchKey { bytes key = 1; }
  message WatchOutput { int32 status = 1; repeated WatchKeyOutput keys = 2; }
  message WatchKeyOutput { bool changed = 1; KvEntry entry_if_changed = 2; }
`);

/** Status of a read. */
export const READ = { success: 1, disabled: 2 } as const;

/** Status of a write. */
export const WRITE = { success: 1, checkFailure: 2, disabled: 5 } as const;

/** Types of a mutation that this server knows. */
export const MUTATION = { set: 1, delete: 2, sum: 3, max: 4, min: 5 } as const;

/** Encodings of a value. */
export const ENCODING = { v8: 1, le64: 2, bytes: 3 } as const;

/** A key range: with its start, without its end. */
export interface ReadRange {
  readonly start: Uint8Array;
  readonly end: Uint8Array;
  readonly limit: number;
  readonly reverse: boolean;
}

/** A stored entry. */
export interface KvEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly encoding: number;
  /** Ten bytes. */
  readonly versionstamp: Uint8Array;
}

/** A transaction. */
export interface AtomicWrite {
  readonly checks: readonly {
    readonly key: Uint8Array;
    /** Empty: the key must have no value. */
    readonly versionstamp: Uint8Array;
  }[];
  readonly mutations: readonly {
    readonly key: Uint8Array;
    readonly value: {
      readonly data: Uint8Array;
      readonly encoding: number;
    } | null;
    readonly mutationType: number;
    /** Epoch ms; 0 for none. */
    readonly expireAtMs: { toNumber(): number };
  }[];
  readonly enqueues: readonly unknown[];
}

/** Decodes a request. Throws if it is not of the type. */
function decoder<Message>(name: string): (body: Uint8Array) => Message {
  const type = root.lookupType(name);
  // Not `toObject()`, which takes five times as long: fields have their defaults without it.
  return (body) => type.decode(body) as unknown as Message;
}

function encoder<Message extends object>(
  name: string,
): (message: Message) => Uint8Array<ArrayBuffer> {
  const type = root.lookupType(name);
  return (message) => new Uint8Array(type.encode(message).finish());
}

export const decodeSnapshotRead = decoder<{ ranges: readonly ReadRange[] }>(
  "SnapshotRead",
);
export const decodeAtomicWrite = decoder<AtomicWrite>("AtomicWrite");
export const decodeWatch = decoder<{ keys: readonly { key: Uint8Array }[] }>(
  "Watch",
);
export const encodeSnapshotReadOutput = encoder<{
  ranges: readonly { readonly values: readonly KvEntry[] }[];
  readIsStronglyConsistent: boolean;
  status: number;
}>("SnapshotReadOutput");
export const encodeAtomicWriteOutput = encoder<{
  status: number;
  versionstamp?: Uint8Array;
}>("AtomicWriteOutput");
export const encodeWatchOutput = encoder<{
  status: number;
  keys: readonly { changed: boolean; entryIfChanged?: KvEntry }[];
}>("WatchOutput");
