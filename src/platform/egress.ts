import { lookup } from 'node:dns/promises';
import { createWriteStream } from 'node:fs';
import { isIP } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Transform, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import ipaddr from 'ipaddr.js';
import { Agent, request, type Dispatcher } from 'undici';
import { KontorError } from './errors.ts';

export type EgressOptions = {
  /** Only tests may reach this machine itself. */
  allowLoopback: boolean;
  /** How a name becomes addresses; tests put rebinding resolvers here. */
  resolve?: (host: string) => Promise<string[]>;
};

export type Download = { bytes: number; contentType: string | undefined; fileName: string; lengthKnown: boolean };

const allowedPorts = new Set(['', '80', '443']);
const maxRedirects = 5;
/** The Azure platform address answers metadata questions although it looks public. */
const metadataAddresses = new Set(['168.63.129.16']);

/** One German text for every address that is not to be reached, so that answers tell nothing about inner networks (T3). */
const refused = () =>
  new KontorError(
    422,
    'address_refused',
    'Diese Adresse ist nicht erlaubt oder nicht erreichbar. Erlaubt sind öffentliche http- und https-Adressen.',
  );

/** The one door to addresses that users or marketplaces gave (T1, T2): checks every address, then connects to the checked one. */
export class Egress {
  private readonly options: EgressOptions;

  constructor(options: EgressOptions) {
    this.options = options;
  }

  /**
   * Fetches `address` into `file`. Bytes are counted after decoding, against `maxBytes` (T6); a body shorter than announced
   * or a cut compressed stream is an error (T7). Follows up to five redirects, each checked anew.
   */
  async download(
    address: string,
    file: string,
    limits: { maxBytes: number; signal?: AbortSignal; onBytes?: (bytes: number, total: number) => void },
  ): Promise<Download> {
    let url = this.parse(address);
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const agent = await this.pinnedAgent(url);
      try {
        const answer = await this.ask(url, agent, limits.signal);
        const location = answer.headers['location'];
        if (answer.statusCode >= 300 && answer.statusCode < 400 && typeof location === 'string') {
          await answer.body.dump();
          url = this.parse(new URL(location, url).href);
          continue;
        }
        if (answer.statusCode !== 200) {
          await answer.body.dump();
          throw new KontorError(
            422,
            'address_status',
            `Die Adresse antwortet mit HTTP-Status ${answer.statusCode}. Bitte Adresse und Zugangsdaten prüfen.`,
          );
        }
        return await this.save(url, answer, file, limits);
      } finally {
        await agent.destroy();
      }
    }
    throw new KontorError(
      422,
      'too_many_redirects',
      `Die Adresse leitet öfter als ${maxRedirects}-mal weiter. Bitte die endgültige Adresse angeben.`,
    );
  }

  private parse(address: string): URL {
    let url: URL;
    try {
      url = new URL(address);
    } catch {
      throw new KontorError(
        422,
        'address_unreadable',
        'Diese Adresse ist nicht lesbar. Sie muss mit http:// oder https:// beginnen.',
      );
    }
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused();
    if (!allowedPorts.has(url.port) && !this.options.allowLoopback) throw refused();
    return url;
  }

  /** Resolves once, checks all addresses, and gives an agent that can connect to the first of them only. */
  private async pinnedAgent(url: URL): Promise<Agent> {
    const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    const addresses = isIP(host) ? [host] : await this.resolve(host);
    const [first] = addresses;
    if (first === undefined || !addresses.every((one) => this.allowed(one))) throw refused();
    return new Agent({
      connect: {
        timeout: 10_000,
        lookup: (_name, options, done) => {
          const family = isIP(first);
          if (options.all) done(null, [{ address: first, family }]);
          else done(null, first, family);
        },
      },
      headersTimeout: 30_000,
      bodyTimeout: 60_000,
      maxHeaderSize: 32_768,
    });
  }

  private async resolve(host: string): Promise<string[]> {
    try {
      if (this.options.resolve) return await this.options.resolve(host);
      return (await lookup(host, { all: true })).map((entry) => entry.address);
    } catch {
      throw refused();
    }
  }

  private allowed(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    if (this.options.allowLoopback && parsed.range() === 'loopback') return true;
    return parsed.range() === 'unicast' && !metadataAddresses.has(parsed.toString());
  }

  private async ask(url: URL, agent: Agent, signal: AbortSignal | undefined): Promise<Dispatcher.ResponseData> {
    const headers: Record<string, string> = {
      'user-agent': 'Kontor',
      accept: '*/*',
      'accept-encoding': 'gzip, identity',
    };
    if (url.username !== '') {
      const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
      headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
    }
    const plain = new URL(url);
    plain.username = '';
    plain.password = '';
    try {
      return await request(plain, { dispatcher: agent, headers, signal: signal ?? null });
    } catch (error) {
      signal?.throwIfAborted();
      throw new KontorError(422, 'address_unreachable', refused().message, { cause: error });
    }
  }

  private async save(
    url: URL,
    answer: Dispatcher.ResponseData,
    file: string,
    limits: Parameters<Egress['download']>[2],
  ): Promise<Download> {
    const header = (name: string) => {
      const value = answer.headers[name];
      return Array.isArray(value) ? value[0] : value;
    };
    const total = Number(header('content-length') ?? 0);
    let bytes = 0;
    const count = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        limits.onBytes?.(bytes, total);
        if (bytes > limits.maxBytes) done(new KontorError(422, 'too_large', tooLargeText(limits.maxBytes)));
        else done(null, chunk);
      },
    });
    try {
      const decoder = decoderOf(header('content-encoding'));
      const source: Readable = answer.body;
      const sink = createWriteStream(file, { flush: true });
      const options = limits.signal ? { signal: limits.signal } : {};
      if (decoder) await pipeline(source, decoder, count, sink, options);
      else await pipeline(source, count, sink, options);
    } catch (error) {
      limits.signal?.throwIfAborted();
      if (error instanceof KontorError) throw error;
      throw new KontorError(
        422,
        'download_cut',
        'Die Übertragung der Datei brach vorzeitig ab. Der bisherige Stand gilt weiter; bitte erneut versuchen.',
        { cause: error },
      );
    }
    return {
      bytes,
      contentType: header('content-type'),
      fileName: fileNameOf(header('content-disposition'), url),
      lengthKnown: total > 0 || header('transfer-encoding') === 'chunked',
    };
  }
}

export const tooLargeText = (maxBytes: number) =>
  `Die Datei ist größer als ${Math.floor(maxBytes / 1024 ** 3)} GB. Bitte teilen oder gepackt (gz, zip) bereitstellen.`;

function decoderOf(encoding: string | undefined) {
  if (encoding === undefined || encoding === 'identity' || encoding === '') return undefined;
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'deflate') return createInflate();
  if (encoding === 'br') return createBrotliDecompress();
  throw new KontorError(422, 'content_encoding', `Die Übertragungskodierung „${encoding}“ wird nicht unterstützt.`);
}

/** Only the last part of any path, for showing and for guessing the kind of file; never used as a path. */
function fileNameOf(disposition: string | undefined, url: URL): string {
  const named = disposition?.match(/filename\*?=(?:UTF-8'')?"?([^";]+)/i)?.[1];
  const last = (named ?? url.pathname).split(/[\\/]/).pop() ?? '';
  return last === '' ? url.hostname : last.slice(0, 200);
}
