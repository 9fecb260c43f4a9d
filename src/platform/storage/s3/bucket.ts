import { createHash, randomUUID } from 'node:crypto';
import { storeAway } from '#platform/storage/store-errors.ts';
import { type BucketAccess, type Content, isBroken, type RetryPolicy, S3Client } from './client.ts';
import type { StoreMeter } from './store-metrics.ts';
import { isHeld, openUpload, type OpenUpload } from './open-upload.ts';
import { StoreRefusal } from './store-refusal.ts';
import { type Measured, partsOfFile, partsOfStream, streamPart } from './parts.ts';
import { elementsOf } from './xml.ts';

/** Parts sent in parallel: more is no faster, measured on loopback. */
const AT_ONCE = 4;

export type Listed = { readonly key: string; readonly bytes: number; readonly modified: Date };
type Part = { readonly number: number; readonly etag: string };
type Range = { readonly start?: number; readonly end?: number };

/** Objects of a bucket below a prefix. A key is written once; `prefix` is '' or ends with '/'. */
export class Bucket {
  private readonly client: S3Client;
  private readonly prefix: string;
  /** Whether the store supports conditional writes; one that lacks them answers the first with 501. */
  private conditional = true;

  constructor(access: BucketAccess & { readonly prefix: string }, policy?: RetryPolicy, meter?: StoreMeter) {
    this.client = new S3Client(access, policy, undefined, meter);
    this.prefix = access.prefix;
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** Writes, reads and removes an object. @throws the error that a later request would get: the store is away, locked or full */
  async check(): Promise<void> {
    const key = `kontor-check-${randomUUID()}`;
    const held = Buffer.from(key);
    await this.putWhole(key, { bytes: held.length, sha256: hashOf(held), open: () => held });
    for await (const _ of this.read(key)) break;
    await this.delete(key);
  }

  /** Uploads a file without holding it in memory. Returns its size and hash. */
  async putFile(key: string, path: string): Promise<Measured> {
    const { whole, parts } = await partsOfFile(path);
    const [only] = parts;
    if (only !== undefined && parts.length === 1) await this.putWhole(key, only);
    else await this.putParts(key, parts, whole);
    return whole;
  }

  /**
   * Uploads a stream of about `expected` bytes as it arrives, holding one part in memory. `resume`: equal parts that a killed
   * process has uploaded for this key are not sent again; only for keys that identify the content.
   */
  async putStream(
    key: string,
    content: AsyncIterable<Uint8Array>,
    expected = 0,
    { resume = false } = {},
  ): Promise<Measured> {
    const { whole, parts } = partsOfStream(content, streamPart(expected));
    const first = await parts.next();
    const second = await parts.next();
    if (first.done) return whole();
    if (second.done) await this.putWhole(key, first.value);
    else {
      async function* all() {
        if (!first.done) yield first.value;
        if (!second.done) yield second.value;
        yield* parts;
      }
      await this.putParts(key, all(), whole, resume);
    }
    return whole();
  }

  /** Yields an object's bytes; resumes after a broken connection. @throws StoreRefusal 404 if there is no such object */
  async *read(key: string, { start = 0, end }: Range = {}): AsyncGenerator<Buffer> {
    let [at, failures] = [start, 0];
    for (;;) {
      const part = at > 0 || end !== undefined;
      const range: Record<string, string> = part ? { range: `bytes=${at}-${end ?? ''}` } : {};
      const { body, headers } = await this.client.send({ method: 'GET', key: this.prefix + key, headers: range });
      const last = at + Number(headers['content-length'] ?? Number.NaN);
      try {
        for await (const chunk of body as AsyncIterable<Buffer>) {
          this.client.meter.received(chunk.length);
          yield chunk;
          at += chunk.length;
        }
        return;
      } catch (error) {
        if (!isBroken(error)) throw error;
        if (at === last) return;
        if (++failures > AT_ONCE) throw storeAway(error);
        await this.client.pause(failures);
      }
    }
  }

  /** Returns the size of an object in bytes; undefined: there is none. */
  async sizeOf(key: string): Promise<number | undefined> {
    try {
      const { headers, body } = await this.client.send({ method: 'HEAD', key: this.prefix + key });
      await body.dump();
      return Number(headers['content-length']);
    } catch (error) {
      if (error instanceof StoreRefusal && error.answered === 404) return undefined;
      throw error;
    }
  }

  /** Returns an address at which anybody may read an object for `seconds`; `query`: headers of the response. */
  addressOf(key: string, query: Readonly<Record<string, string>>, seconds: number): string {
    return this.client.addressOf(this.prefix + key, query, seconds);
  }

  /** Deletes an object; does nothing if there is none. */
  async delete(key: string): Promise<void> {
    try {
      const { body } = await this.client.send({ method: 'DELETE', key: this.prefix + key });
      await body.dump();
    } catch (error) {
      if (!(error instanceof StoreRefusal && error.answered === 404)) throw error;
    }
  }

  /** Yields the objects whose keys begin with `start`. */
  async *list(start: string): AsyncGenerator<Listed> {
    for (let token = '', more = true; more;) {
      const query = { 'list-type': '2', prefix: this.prefix + start };
      const next: Record<string, string> = token === '' ? {} : { 'continuation-token': token };
      const xml = await this.client.text({ method: 'GET', query: { ...query, ...next } });
      for (const one of elementsOf(xml, 'Contents'))
        yield {
          key: (one.get('Key') ?? '').slice(this.prefix.length),
          bytes: Number(one.get('Size')),
          modified: new Date(one.get('LastModified') ?? ''),
        };
      const page = elementsOf(xml, 'ListBucketResult')[0];
      token = page?.get('NextContinuationToken') ?? '';
      more = page?.get('IsTruncated') === 'true' && token !== '';
    }
  }

  /** Aborts multipart uploads (begun before `before`, if given) of killed processes. Returns their number. */
  async abortUploads(start: string, before?: Date): Promise<number> {
    let ended = 0;
    for (let next: Record<string, string> | undefined = {}; next !== undefined;) {
      const query = { uploads: '', prefix: this.prefix + start, ...next };
      const xml = await this.client.text({ method: 'GET', query });
      for (const one of elementsOf(xml, 'Upload')) {
        if (before !== undefined && new Date(one.get('Initiated') ?? '') >= before) continue;
        await this.abort((one.get('Key') ?? '').slice(this.prefix.length), one.get('UploadId') ?? '');
        ended++;
      }
      next = nextUploads(xml);
    }
    return ended;
  }

  private async putWhole(key: string, content: Content): Promise<void> {
    const put = { method: 'PUT', key: this.prefix + key, content } as const;
    try {
      const headers: Record<string, string> = this.conditional ? { 'if-none-match': '*' } : {};
      const { body } = await this.client.send({ ...put, headers });
      await body.dump();
    } catch (error) {
      if (!(error instanceof StoreRefusal)) throw error;
      if (error.answered === 501 && this.conditional) {
        this.conditional = false;
        return this.putWhole(key, content);
      }
      // The response to our own earlier request may have been lost: then the object exists with the same content.
      if (error.answered !== 412 || (await this.hashOf(key)) !== content.sha256) throw error;
    }
  }

  private async hashOf(key: string): Promise<string> {
    const hash = createHash('sha256');
    for await (const chunk of this.read(key)) hash.update(chunk);
    return hash.digest('hex');
  }

  private async putParts(
    key: string,
    parts: AsyncIterable<Content> | Iterable<Content>,
    whole: Measured | (() => Measured),
    resume = false,
  ): Promise<void> {
    const left = resume ? await openUpload(this.client, this.prefix + key) : undefined;
    const upload = left ?? { id: await this.begin(key), parts: new Map() };
    try {
      const sent = await this.sendParts(key, upload, parts);
      await this.complete(key, upload.id, sent, typeof whole === 'function' ? whole() : whole);
    } catch (error) {
      // An upload that can be resumed is left to the nightly cleanup.
      if (!resume) await this.abort(key, upload.id).catch(() => {});
      throw error;
    }
  }

  private async begin(key: string): Promise<string> {
    const xml = await this.client.text({ method: 'POST', key: this.prefix + key, query: { uploads: '' } });
    const id = elementsOf(xml, 'InitiateMultipartUploadResult')[0]?.get('UploadId');
    if (id === undefined) throw storeAway(new Error('no upload id'));
    return id;
  }

  private async sendParts(
    key: string,
    upload: OpenUpload,
    parts: AsyncIterable<Content> | Iterable<Content>,
  ): Promise<Part[]> {
    const sent: Part[] = [];
    const running = new Set<Promise<void>>();
    const failed = new AbortController();
    let number = 0;
    try {
      for await (const content of parts) {
        const query = { partNumber: String(++number), uploadId: upload.id };
        const held = upload.parts.get(number);
        if (held !== undefined && (await isHeld(held, content))) {
          sent.push({ number, etag: held.etag });
          continue;
        }
        const one = this.sendPart({ method: 'PUT', key: this.prefix + key, query, content, signal: failed.signal })
          .then((etag) => void sent.push({ number: Number(query.partNumber), etag }))
          .finally(() => running.delete(one));
        one.catch((error: unknown) => failed.abort(error));
        running.add(one);
        if (running.size >= AT_ONCE) await Promise.race(running);
        failed.signal.throwIfAborted();
      }
      await Promise.all(running);
      return sent.toSorted((a, b) => a.number - b.number);
    } catch (error) {
      failed.abort(error);
      await Promise.allSettled(running);
      throw failed.signal.reason;
    }
  }

  private async sendPart(request: Parameters<S3Client['send']>[0]): Promise<string> {
    const { headers, body } = await this.client.send(request);
    await body.dump();
    return String(headers['etag'] ?? '');
  }

  /** Completes a multipart upload. A store may answer with success and report a failure in the body. */
  private async complete(key: string, upload: string, parts: readonly Part[], { bytes }: Measured): Promise<void> {
    const list = parts.map(
      ({ number, etag }) =>
        `<Part><PartNumber>${number}</PartNumber><ETag>${etag.replaceAll('"', '&quot;')}</ETag></Part>`,
    );
    const held = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`);
    const content = { bytes: held.length, sha256: hashOf(held), open: () => held };
    let cause: unknown;
    for (let attempt = 1; attempt <= AT_ONCE; attempt++) {
      try {
        const query = { uploadId: upload };
        const xml = await this.client.text({ method: 'POST', key: this.prefix + key, query, content });
        if (elementsOf(xml, 'CompleteMultipartUploadResult').length > 0) return;
        cause = new Error(`completing an upload: ${xml.slice(0, 500)}`);
      } catch (error) {
        // Completed already, by a request whose response was lost.
        if (error instanceof StoreRefusal && error.answered === 404 && (await this.sizeOf(key)) === bytes) return;
        throw error;
      }
      await this.client.pause(attempt);
    }
    throw storeAway(cause);
  }

  private async abort(key: string, upload: string): Promise<void> {
    const abort = { method: 'DELETE', key: this.prefix + key, query: { uploadId: upload } } as const;
    await (await this.client.send(abort)).body.dump();
  }
}

/** Returns the query for the next page of uploads; undefined: there is none. */
function nextUploads(xml: string): Record<string, string> | undefined {
  const page = elementsOf(xml, 'ListMultipartUploadsResult')[0];
  const key = page?.get('NextKeyMarker') ?? '';
  if (page?.get('IsTruncated') !== 'true' || key === '') return undefined;
  return { 'key-marker': key, 'upload-id-marker': page.get('NextUploadIdMarker') ?? '' };
}

const hashOf = (held: Uint8Array): string => createHash('sha256').update(held).digest('hex');
