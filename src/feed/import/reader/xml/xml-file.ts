import fs from 'node:fs';
import type { TextSource } from '#feed/import/reader/import-run.ts';
import type { XmlEvents } from './xml-events.ts';

/** Feeds the first `bytes` of a file to the parser; if they are the whole file, ends the document. */
export async function feedFile(
  events: XmlEvents,
  source: TextSource,
  bytes: number,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const end = source.start + bytes - 1;
  const atEnd = end >= source.size - 1;
  for await (const data of fs.createReadStream(source.path, { start: source.start, end, highWaterMark: 262_144 })) {
    if (!Buffer.isBuffer(data)) continue;
    events.feed(decoder.decode(data, { stream: true }));
    onBytes(data.length);
  }
  if (atEnd) {
    events.feed(decoder.decode());
    events.end();
  }
}
