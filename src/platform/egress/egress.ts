import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Agent, Dispatcher } from 'undici';
import type { AgentCache } from './agents.ts';
import { bounded } from './bounded.ts';
import { authorizationOf, badStatus, textOf, type EgressRequest, type Exchanged } from './body.ts';
import { allowedAddress, allowedPorts, PlaceRefused, refused, serverPorts } from './address-rules.ts';
import { KontorError } from '#platform/errors.ts';
import { type Pace, PaceWatch, defaultPace } from './pace.ts';
import { type Download, saveBody, type SaveLimits } from './save-body.ts';

export type EgressOptions = {
  /** Whether this machine itself may be reached; only for tests. */
  allowLoopback: boolean;
  /** Further allowed ports; tests listen on any free port. */
  ports?: ReadonlySet<string>;
  /** Limits for slow servers; shorter in tests. */
  pace?: Pace | undefined;
  /** Resolves a name to addresses; tests replace it to simulate DNS rebinding. */
  resolve?: (host: string) => Promise<string[]>;
  /** Origins that this process itself opened on this machine (the demo's marketplace); they may be reached on any port. */
  own?: ReadonlySet<string>;
};

/** `total`: bytes of the whole file, null if the server does not tell. */
export type Peek = { status: number; head: Buffer; total: number | null };
const maxRedirects = 5;
/** The only way to addresses given by users or marketplaces (T1, T2): checks each, then connects to the checked address. */
export class Egress {
  private readonly options: EgressOptions;
  private agents: AgentCache | undefined;

  constructor(options: EgressOptions) {
    this.options = options;
  }

  /**
   * Downloads `address` into `file`. Bytes are counted after decoding, against `maxBytes` (T6); a body shorter than announced or
   * a cut compressed stream is an error (T7). Follows up to five redirects, each checked again.
   */
  async download(address: string, file: string, limits: SaveLimits): Promise<Download> {
    return this.follow(address, {}, limits.signal, async (answer, url, watch) => {
      if (answer.statusCode === 200) return saveBody({ url, answer }, file, { ...limits, watch });
      await answer.body.dump();
      throw badStatus(answer);
    });
  }

  /**
   * Returns the beginning of the file at `address`, at most `bytes`, whatever the status. Requests no more, and disconnects from
   * a server that sends more nevertheless. Follows redirects like `download`.
   */
  async peek(address: string, bytes: number, signal?: AbortSignal): Promise<Peek> {
    const headers = { range: `bytes=0-${bytes - 1}`, 'accept-encoding': 'identity' };
    return this.follow(address, headers, signal, async ({ statusCode, headers: received, body }, _url, watch) => {
      const chunks: Buffer[] = [];
      let length = 0;
      try {
        for await (const part of body as AsyncIterable<Buffer>) {
          chunks.push(part);
          length += part.length;
          watch.count(part.length);
          if (length >= bytes) break;
        }
      } catch (error) {
        signal?.throwIfAborted();
        watch.signal.throwIfAborted();
        throw new KontorError(422, 'download_cut', refused().message, { cause: error });
      }
      const range = /\/(\d+)$/.exec(String(received['content-range'] ?? ''))?.[1];
      const total = Number(range ?? received['content-length'] ?? Number.NaN);
      return {
        status: statusCode,
        head: Buffer.concat(chunks).subarray(0, bytes),
        total: Number.isNaN(total) ? null : total,
      };
    });
  }

  /**
   * Returns the file at `address` as a stream that begins once its server has answered with 200; content encodings are not
   * decoded. It fails above `maxBytes`, if the response is cut off, and when `signal` aborts; destroying it disconnects. Follows
   * redirects like `download`.
   */
  read(address: string, limits: { maxBytes: number; accept: string; signal: AbortSignal }): Promise<Readable> {
    const opened = Promise.withResolvers<Readable>();
    const { maxBytes, accept, signal } = limits;
    const use = async (answer: Dispatcher.ResponseData, _url: URL, watch: PaceWatch) => {
      if (answer.statusCode !== 200) {
        await answer.body.dump();
        throw badStatus(answer);
      }
      const parts = bounded(answer, maxBytes, watch);
      const stream = new PassThrough();
      // The stream may fail before anybody reads it.
      stream.on('error', () => undefined);
      opened.resolve(stream);
      await pipeline(parts, stream);
    };
    this.follow(address, { accept, 'accept-encoding': 'identity' }, signal, use).catch(opened.reject);
    return opened.promise;
  }

  /** Returns status and content type of the file at `address`, by HEAD, without loading it. Follows redirects like `download`. */
  async head(address: string, signal?: AbortSignal): Promise<{ status: number; contentType: string | undefined }> {
    const responseOf = async ({ statusCode: status, headers, body }: Dispatcher.ResponseData) => {
      await body.dump();
      return { status, contentType: [headers['content-type']].flat()[0] };
    };
    return this.follow(address, {}, signal, responseOf, 'HEAD');
  }

  /** Returns what `use` makes of the final response after up to five redirects, each checked again. */
  private async follow<T>(
    address: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
    use: (answer: Dispatcher.ResponseData, url: URL, watch: PaceWatch) => Promise<T>,
    method: EgressRequest['method'] = 'GET',
  ): Promise<T> {
    const watch = new PaceWatch(this.options.pace ?? defaultPace);
    try {
      const until = signal ? AbortSignal.any([signal, watch.signal]) : watch.signal;
      return await this.hops(this.parse(address), { headers, method }, until, (answer, url) => use(answer, url, watch));
    } finally {
      watch.stop();
    }
  }

  private async hops<T>(
    first: URL,
    { headers, method }: { headers: Readonly<Record<string, string>>; method: EgressRequest['method'] },
    signal: AbortSignal,
    use: (answer: Dispatcher.ResponseData, url: URL) => Promise<T>,
  ): Promise<T> {
    let url = first;
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const agent = await this.pinnedAgent(url);
      try {
        const answer = await this.ask(url, agent, headers, signal, { method });
        const location = answer.headers['location'];
        if (answer.statusCode < 300 || answer.statusCode >= 400 || typeof location !== 'string')
          return await use(answer, url);
        await answer.body.dump();
        url = this.parse(URL.parse(location, url.href)?.href ?? location);
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

  /**
   * Sends one request and returns its response, whatever its status. Redirects are not followed: a request signed for one host
   * must not go to another.
   * @throws one German text for every cause (T3); the error's cause shows whether a connection was made
   */
  async exchange(address: string, { timeoutMs, maxBytes, signal, ...request }: EgressRequest): Promise<Exchanged> {
    const url = this.parse(address);
    const { AgentCache } = await import('./agents.ts');
    this.agents ??= new AgentCache();
    const agent = this.agents.to(url.origin, await this.checked(url.hostname, this.isOwn(url)));
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const until = signal ? AbortSignal.any([signal, timeout]) : timeout;
      const { statusCode, headers, body } = await this.ask(url, agent, request.headers, until, request);
      const text = await textOf(body, headers['content-encoding'], maxBytes);
      const header = (name: string) => [headers[name.toLowerCase()]].flat()[0];
      return { status: statusCode, header, text };
    } catch (error) {
      signal?.throwIfAborted();
      if (!timeout.aborted) throw error;
      throw new KontorError(422, 'address_unreachable', refused().message, { cause: error });
    }
  }

  /** Posts a JSON text to `address` with `exchange`, and returns the response's status. */
  async post(
    address: string,
    body: string,
    request: { headers: Readonly<Record<string, string>>; timeoutMs: number; signal?: AbortSignal },
  ): Promise<number> {
    return (await this.exchange(address, { ...request, method: 'POST', body, maxBytes: 0 })).status;
  }

  /** Checks before an address is stored whether it may be used. @throws as every use of it would */
  async requireAllowed(address: string): Promise<void> {
    await this.checked(this.parse(address).hostname);
  }

  /**
   * Opens a connection to a file or mail server; returns it with its address.
   * @throws one German text for every cause (T3); its cause is a `PlaceRefused` if no connection was tried
   */
  async open(
    host: string,
    port: number,
    timeoutMs: number,
    takes: keyof typeof serverPorts = 'upload',
  ): Promise<{ socket: Socket; address: string }> {
    if (!serverPorts[takes].has(port) && !this.isPortOfTests(String(port))) throw refused(new PlaceRefused('port'));
    const address = await this.checked(host);
    const socket = connect({ host: address, port });
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
    } catch (error) {
      socket.destroy();
      throw new KontorError(422, 'address_unreachable', refused().message, { cause: error });
    }
    return { socket, address };
  }

  private isPortOfTests(port: string): boolean {
    return this.options.allowLoopback || this.options.ports?.has(port) === true;
  }

  private isOwn(url: URL): boolean {
    return this.options.own?.has(url.origin) === true;
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
    if (!allowedPorts.has(url.port) && !this.isPortOfTests(url.port) && !this.isOwn(url)) throw refused();
    return url;
  }

  /** Resolves the name once, checks all its addresses, and returns an agent that can connect to the first of them only. */
  private async pinnedAgent(url: URL): Promise<Agent> {
    const { agentTo } = await import('./agents.ts');
    return agentTo(await this.checked(url.hostname, this.isOwn(url)));
  }

  /** Returns the address to connect to; all addresses of the name must be allowed. */
  private async checked(hostname: string, own = false): Promise<string> {
    const host = hostname
      .trim()
      .replace(/^\[|\]$/g, '')
      .replace(/\.$/, '');
    const isAddress = isIP(host) !== 0;
    const addresses = isAddress || host === '' ? [host] : await this.resolve(host);
    const [first] = addresses;
    if (first === undefined || !addresses.every((one) => allowedAddress(one, own || this.options.allowLoopback)))
      throw refused(new PlaceRefused(isAddress ? 'address' : 'name'));
    return first;
  }

  private async resolve(host: string): Promise<string[]> {
    try {
      if (this.options.resolve) return await this.options.resolve(host);
      return (await lookup(host, { all: true })).map((entry) => entry.address);
    } catch (error) {
      throw refused(new PlaceRefused('name', error));
    }
  }

  private async ask(
    url: URL,
    agent: Agent,
    more: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
    sent: { method?: EgressRequest['method']; body?: string } = {},
  ): Promise<Dispatcher.ResponseData> {
    const headers: Record<string, string> = {
      'user-agent': 'Kontor',
      accept: '*/*',
      'accept-encoding': 'gzip, identity',
      ...more,
    };
    if (url.username !== '') headers['authorization'] = authorizationOf(url);
    const plain = new URL(url);
    plain.username = '';
    plain.password = '';
    const { request } = await import('undici');
    try {
      const { method = 'GET', body = null } = sent;
      return await request(plain, { dispatcher: agent, headers, signal: signal ?? null, method, body });
    } catch (error) {
      signal?.throwIfAborted();
      throw new KontorError(422, 'address_unreachable', refused().message, { cause: error });
    }
  }
}
