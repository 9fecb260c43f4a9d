import { createReadStream, createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import iconv from 'iconv-lite';
import type { OutputFormat } from '#shared/exports/schema.ts';

export type Encoded = { replaced: number };

/** Every character of an 8-bit encoding. Bytes that stand for none are read as U+FFFD, which itself it lacks. */
function repertoire(encoding: string): Set<string> {
  const all = new Set(iconv.decode(Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), encoding));
  all.delete('\uFFFD');
  return all;
}

/**
 * Rewrites a UTF-8 file in another encoding. A character that it lacks becomes '?' — in XML a character reference, which
 * loses nothing. `replaced` counts the question marks, so that nobody learns of them from his channel.
 */
export async function encodeFile(
  from: string,
  to: string,
  format: OutputFormat,
  signal?: AbortSignal,
): Promise<Encoded> {
  const { encoding, kind } = format;
  const known = encoding === 'utf-16le' ? undefined : repertoire(encoding);
  const decoder = new StringDecoder('utf8');
  let replaced = 0;
  let first = true;
  const serialize = (text: string): Buffer => {
    const body = known
      ? text.replaceAll(/\P{ASCII}/gu, (character) => {
          if (known.has(character)) return character;
          if (kind === 'xml') return `&#${character.codePointAt(0)};`;
          replaced++;
          return '?';
        })
      : text;
    const bytes = iconv.encode(body, encoding);
    if (!first || encoding !== 'utf-16le') return bytes;
    first = false;
    return Buffer.concat([Buffer.from([0xff, 0xfe]), bytes]);
  };
  const convert = new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, serialize(decoder.write(chunk))),
    flush: (done) => done(null, serialize(decoder.end())),
  });
  await pipeline(
    createReadStream(from, { highWaterMark: 1024 * 1024 }),
    convert,
    createWriteStream(to, { flush: true }),
    signal ? { signal } : {},
  );
  return { replaced };
}
