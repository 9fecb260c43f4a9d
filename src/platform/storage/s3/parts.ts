import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Content } from './client.ts';

/** Size of the parts of a file, and of a stream, whose parts are held in memory meanwhile. The store requires at least 5 MiB. */
export const FILE_PART = 16 * 1024 * 1024;
const STREAM_PART = 8 * 1024 * 1024;
/** Maximum number of parts of an object. All but the last have the same size, which some stores require. */
const MOST_PARTS = 10_000;

const partFor = (usual: number, bytes: number): number =>
  Math.max(usual, Math.ceil(bytes / (MOST_PARTS - 1) / 1024 ** 2) * 1024 ** 2);

/** Part size in bytes for a file of this size, and for a stream that may have this size. */
export const filePart = (bytes: number): number => partFor(FILE_PART, bytes);
export const streamPart = (bytes: number): number => partFor(STREAM_PART, bytes);

export type Measured = { readonly bytes: number; readonly sha256: string };

/** Reads a file once for its hash, and returns parts that are read again when they are sent. */
export async function partsOfFile(
  path: string,
  partBytes?: number,
): Promise<{ whole: Measured; parts: readonly Content[] }> {
  const most = partBytes ?? filePart((await stat(path)).size);
  const whole = createHash('sha256');
  const parts: Content[] = [];
  let part = createHash('sha256');
  let [bytes, inPart] = [0, 0];
  const endPart = () => {
    const [start, size] = [bytes - inPart, inPart];
    const open = () =>
      size === 0 ? new Uint8Array() : createReadStream(path, { start, end: start + size - 1, highWaterMark: 1 << 18 });
    parts.push({ bytes: size, sha256: part.digest('hex'), open });
    part = createHash('sha256');
    inPart = 0;
  };
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
    whole.update(chunk);
    for (let at = 0; at < chunk.length;) {
      const piece = chunk.subarray(at, at + most - inPart);
      part.update(piece);
      at += piece.length;
      inPart += piece.length;
      bytes += piece.length;
      if (inPart === most) endPart();
    }
  }
  if (inPart > 0 || parts.length === 0) endPart();
  return { whole: { bytes, sha256: whole.digest('hex') }, parts };
}

/** Returns the parts of a stream as they arrive; call `whole` after the last one. */
export function partsOfStream(
  content: AsyncIterable<Uint8Array>,
  partBytes = STREAM_PART,
): { whole: () => Measured; parts: AsyncGenerator<Content> } {
  const hash = createHash('sha256');
  let bytes = 0;
  const one = (chunks: readonly Uint8Array[]): Content => {
    const held = Buffer.concat(chunks);
    return { bytes: held.length, sha256: createHash('sha256').update(held).digest('hex'), open: () => held };
  };
  async function* parts() {
    let [chunks, size, first]: [Uint8Array[], number, boolean] = [[], 0, true];
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.length;
      chunks.push(chunk);
      size += chunk.length;
      if (size < partBytes) continue;
      yield one(chunks);
      [chunks, size, first] = [[], 0, false];
    }
    if (size > 0 || first) yield one(chunks);
  }
  return { whole: () => ({ bytes, sha256: hash.copy().digest('hex') }), parts: parts() };
}
