import { createHash } from 'node:crypto';
import type { Content, S3Client } from './client.ts';
import { elementsOf } from './xml.ts';

/** A part of a multipart upload as stored. */
export type HeldPart = { readonly bytes: number; readonly etag: string };
/** A multipart upload that was begun and never completed, with its stored parts by number. */
export type OpenUpload = { readonly id: string; readonly parts: ReadonlyMap<number, HeldPart> };

/** Returns the last upload begun for a key (including the bucket's prefix); undefined: there is none. */
export async function openUpload(client: S3Client, key: string): Promise<OpenUpload | undefined> {
  // Only the first page of uploads is read: if the key's upload is not there, a new one is begun.
  const xml = await client.text({ method: 'GET', query: { uploads: '', prefix: key } });
  const own = elementsOf(xml, 'Upload').filter((one) => one.get('Key') === key);
  const last = own.toSorted((one, other) => initiatedAt(one) - initiatedAt(other)).at(-1);
  const id = last?.get('UploadId');
  return id === undefined ? undefined : { id, parts: await heldParts(client, key, id) };
}

const initiatedAt = (upload: ReadonlyMap<string, string>): number => Date.parse(upload.get('Initiated') ?? '');

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

/** Whether a part is stored already. If the store's ETag is not the MD5 of the bytes, the part is sent again. */
export async function isHeld(held: HeldPart | undefined, { bytes, open }: Content): Promise<boolean> {
  if (held?.bytes !== bytes) return false;
  const hash = createHash('md5');
  const content = open();
  if (content instanceof Uint8Array) hash.update(content);
  else for await (const chunk of content as AsyncIterable<Buffer>) hash.update(chunk);
  return held.etag.replaceAll('"', '') === hash.digest('hex');
}
