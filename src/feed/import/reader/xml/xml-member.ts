import type { Entry } from 'yauzl';
import { type UnpackMeter, unpackError, type ZipArchive } from '#feed/import/reader/archive/zip.ts';
import type { ImportLimits } from '#feed/import/reader/limits.ts';
import type { Warnings } from '#feed/import/reader/warnings.ts';
import { XmlEvents, type XmlHandler } from './xml-events.ts';

type Reading = {
  limits: ImportLimits;
  warnings: Warnings;
  /** Counts the unpacked bytes of the whole archive. */
  meter: UnpackMeter;
  /** Receives the number of packed bytes read. */
  onBytes: (count: number) => void;
};

/** Parses an XML member of an archive in chunks. @throws Refusal if it is broken or too large */
export async function readXmlMember(
  zip: ZipArchive,
  entry: Entry,
  handler: XmlHandler,
  { limits, warnings, meter, onBytes }: Reading,
): Promise<void> {
  meter.announce(entry.uncompressedSize);
  const events = new XmlEvents(handler, limits, warnings);
  const decoder = new TextDecoder('utf-8');
  const stream = await zip.stream(entry);
  const share = Math.max(1, entry.compressedSize) / Math.max(1, entry.uncompressedSize);
  try {
    for await (const data of stream) {
      if (!Buffer.isBuffer(data)) continue;
      meter.add(data.length);
      events.feed(decoder.decode(data, { stream: true }));
      onBytes(data.length * share);
    }
    events.feed(decoder.decode());
    events.end();
  } catch (error) {
    throw unpackError(error);
  } finally {
    stream.destroy();
  }
}
