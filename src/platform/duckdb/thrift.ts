/** Codes of Thrift's compact protocol for the kinds of values that take bytes of their own. */
const BYTE = 3;
const INTEGERS = [4, 5, 6];
const DOUBLE = 7;
const BINARY = 8;
const LISTS = [9, 10];
const STRUCT = 12;

/**
 * Integers to change, by the ids of the fields that lead to them. Lists add nothing: an entry for a list of structs describes each
 * of its structs.
 */
export type Changes = { readonly [field: number]: Changes | ((value: number) => number) };

/** Called for each field of a struct with its id and the place of its value: the bytes from `start` to before `end`. */
export type FieldVisitor = (id: number, start: number, end: number) => void;

/**
 * Reads a message of Thrift's compact protocol, in which the metadata of Parquet files are written. `changes` are made on the way:
 * `changedFrom` returns the bytes with them. Integers are exact up to 2^53.
 * Source of the format: doc/specs/thrift-compact-protocol.md of Apache Thrift.
 */
export class ThriftReader {
  private readonly bytes: Buffer;
  /** Changed values in the order of their places. */
  private readonly patches: { start: number; end: number; value: Buffer }[] = [];
  private at: number;

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** Reads a struct to its end. */
  struct(visit?: FieldVisitor, changes?: Changes): void {
    let id = 0;
    for (;;) {
      const head = this.byte();
      if (head === 0) return;
      const step = head >> 4;
      id = step === 0 ? unzigzag(this.varint()) : id + step;
      const start = this.at;
      this.value(head & 15, changes?.[id]);
      visit?.(id, start, this.at);
    }
  }

  /** Reads the head of a list: the number of its elements, and the code of their kind. */
  listHead(): { count: number; kind: number } {
    const head = this.byte();
    const count = head >> 4;
    return { count: count === 15 ? this.varint() : count, kind: head & 15 };
  }

  integer(): number {
    return unzigzag(this.varint());
  }

  /** Where the next value starts. */
  get place(): number {
    return this.at;
  }

  /** Returns the bytes from `start` up to here, with the changes. */
  changedFrom(start: number): Buffer {
    const parts: Buffer[] = [];
    let copied = start;
    for (const patch of this.patches) {
      parts.push(this.bytes.subarray(copied, patch.start), patch.value);
      copied = patch.end;
    }
    return Buffer.concat([...parts, this.bytes.subarray(copied, this.at)]);
  }

  private value(kind: number, changes: Changes[number] | undefined): void {
    if (kind === BYTE) this.at += 1;
    else if (INTEGERS.includes(kind)) this.change(typeof changes === 'function' ? changes : undefined);
    else if (kind === DOUBLE) this.at += 8;
    else if (kind === BINARY) {
      const length = this.varint();
      this.at += length;
    } else if (LISTS.includes(kind)) {
      const { count, kind: of } = this.listHead();
      // In a list a boolean is a byte; as a field it is part of the field's head.
      for (let index = 0; index < count; index++) this.value(of <= 2 ? BYTE : of, changes);
    } else if (kind === STRUCT) this.struct(undefined, typeof changes === 'function' ? undefined : changes);
    else if (kind > 2) throw new Error(`kind ${kind} does not occur in metadata of Parquet files`);
  }

  private change(changed: ((value: number) => number) | undefined): void {
    const start = this.at;
    const value = this.integer();
    const next = changed?.(value) ?? value;
    if (next !== value) this.patches.push({ start, end: this.at, value: encodedInteger(next) });
  }

  private byte(): number {
    const value = this.bytes[this.at];
    if (value === undefined) throw new Error('the message is cut');
    this.at += 1;
    return value;
  }

  private varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }
}

const unzigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);

function encodedVarint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  return Buffer.from([...bytes, left]);
}

/** Returns an integer as the protocol writes it. */
export const encodedInteger = (value: number): Buffer => encodedVarint(value < 0 ? -value * 2 - 1 : value * 2);

/** Returns the head of a list of structs. */
export const structListHead = (count: number): Buffer =>
  count < 15
    ? Buffer.from([(count << 4) | STRUCT])
    : Buffer.concat([Buffer.from([0xf0 | STRUCT]), encodedVarint(count)]);
