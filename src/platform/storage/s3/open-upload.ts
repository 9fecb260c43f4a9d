import { createHash } from 'node:crypto';
import type { Content, S3Client } from './client.ts';
import { elementsOf } from './xml.ts';

/** A piece of an upload as the store has it. */
export type HeldPart = { readonly bytes: number; readonly etag: string };
/** An upload in pieces that somebody began and never ended, with the pieces that are there, by number. */
export type OpenUpload = { readonly id: string; readonly parts: ReadonlyMap<number, HeldPart> };

/** The last one begun of a key (with the bucket's prefix); undefined: there is none. */
export async function openUpload(client: S3Client, key: string): Promise<OpenUpload | undefined> {
  // More than one page of uploads of one key is nobody's: it is begun anew then.
  const xml = await client.text({ method: 'GET', query: { uploads: '', prefix: key } });
  const own = elementsOf(xml, 'Upload').filter((one) => one.get('Key') === key);
  const last = own.toSorted((one, other) => begun(one) - begun(other)).at(-1);
  const id = last?.get('UploadId');
  return id === undefined ? undefined : { id, parts: await heldParts(client, key, id) };
}

const begun = (upload: ReadonlyMap<string, string>): number => Date.parse(upload.get('Initiated') ?? '');

async function heldParts(client: S3Client, key: string, uploadId: string): Promise<Map<number, HeldPart>> {
  const held = new Map<number, HeldPart>();
  for (let marker = '', more = true; more;) {
    const query = { uploadId, ...(marker === '' ? {} : { 'part-number-marker': marker }) };
    const xml = await client.text({ method: 'GET', key, query });
    for (const part of elementsOf(xml, 'Part'))
      held.set(Number(part.get('PartNumber')), { bytes: Number(part.get('Size')), etag: part.get('ETag') ?? '' });
    const page = elementsOf(xml, 'ListPartsResult')[0];
    marker = page?.get('NextPartNumberMarker') ?? '';
    more = page?.get('IsTruncated') === 'true' && marker !== '';
  }
  return held;
}

/** Whether a piece is there already. A store that says anything but the MD5 of its bytes gets it once more. */
export async function isHeld(held: HeldPart | undefined, { bytes, open }: Content): Promise<boolean> {
  if (held?.bytes !== bytes) return false;
  const hash = createHash('md5');
  const content = open();
  if (content instanceof Uint8Array) hash.update(content);
  else for await (const chunk of content as AsyncIterable<Buffer>) hash.update(chunk);
  return held.etag.replaceAll('"', '') === hash.digest('hex');
}
