import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { z } from 'zod';
import { answerTo } from './answers.ts';
import type { Counters } from './counters.ts';
import type { Answer, Behind, SandboxRequest } from './exchange.ts';
import { Faults } from './faults.ts';
import { Life, type LifeOptions } from './life.ts';
import { CallLimits, type Limited } from './limits.ts';
import { MAILBOX_PATH, SandboxMailbox, type MailboxAccess } from './mailbox.ts';
import type { OrderBook } from './order-book/book.ts';
import { Subscriptions } from './subscriptions.ts';
import { Tokens, type Credentials } from './tokens.ts';
import type { World } from './world.ts';

export type SandboxOptions = LifeOptions & {
  credentials: Credentials;
  /** Factor by which this seller's limits exceed the usual ones. */
  rateFactor?: number;
  tokenSeconds?: number;
  /** Messages are put into a queue that this key opens, instead of being delivered. */
  mailbox?: MailboxAccess;
  /** Interval in real milliseconds at which the sandbox advances by itself; 0: only by `advance`. */
  everyMs?: number;
  port?: number;
};

export type Sandbox = {
  url: string;
  tokenUrl: string;
  world: World;
  /** The orders, with which a test buys, requests cancellation and delivers. */
  book: OrderBook;
  counters: Counters;
  /** Address of the queue, and the number of messages in it. */
  mailboxUrl: string;
  waiting(): number;
  /** Kinds of notification that were subscribed to, with their destinations. */
  ordered(): Readonly<Record<string, string>>;
  /** Sets faults; `only`: limits the faults of calls to these operations. */
  setFaults(faults: Partial<Faults>, only?: readonly Limited[]): void;
  /** Advances the time by some seconds, in addition to the clock; rivals move and messages arrive. */
  advance(seconds: number): Promise<void>;
  close(): Promise<void>;
};

const Advance = z.object({ seconds: z.number().min(0).max(86_400) });

/** Starts a marketplace on this machine: the part of the Selling Partner API that we use, over a simulated world. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { chance, place } = options;
  const mailbox = options.mailbox && new SandboxMailbox(options.mailbox, () => life.now());
  const life: Life = new Life({
    ...options,
    ...(mailbox === undefined ? {} : { deliver: async (messages: unknown[]) => mailbox.put(messages) }),
  });
  const subscriptions = new Subscriptions();
  const limits = new CallLimits(options.rateFactor ?? 1);
  const tokens = new Tokens(options.credentials, options.tokenSeconds ?? 3600, chance);
  const { world, counters, book, feeds } = life;
  const behind: Behind = {
    world,
    book,
    feeds,
    limits,
    tokens,
    counters,
    subscriptions,
    place,
    chance,
    faults: () => life.faults,
    faultsOf: (operation) => life.faultsOf(operation),
    now: () => life.now(),
  };
  const server = createServer((request, response) => {
    void handle(request, response, async (question) =>
      question.url.pathname.startsWith('/sandbox/')
        ? admin(life, question.url.pathname, question.body)
        : mailbox !== undefined && question.url.pathname === '/'
          ? mailbox.answer(question)
          : answerApi(life, behind, question),
    );
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const timer = (options.everyMs ?? 0) > 0 ? setInterval(() => void life.turn(), options.everyMs).unref() : undefined;
  return {
    url,
    tokenUrl: `${url}/auth/o2/token`,
    mailboxUrl: `${url}${MAILBOX_PATH}`,
    waiting: () => mailbox?.waiting ?? 0,
    ordered: () => subscriptions.ordered,
    world,
    book,
    counters,
    setFaults: (faults, only) => life.setFaults(faults, only),
    advance: (seconds) => life.advance(seconds),
    close: async () => {
      clearInterval(timer);
      await life.stop();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Answers an API call with the orders, feeds and prices of this moment. */
function answerApi(life: Life, behind: Behind, question: SandboxRequest): Answer {
  life.settle();
  return answerTo(behind, question);
}

/** Answers the sandbox's own calls, which no marketplace has: read its state, set its faults, advance its time. */
async function admin(life: Life, path: string, body: unknown): Promise<Answer> {
  if (path === '/sandbox/faults') life.setFaults(Faults.partial().parse(body));
  else if (path === '/sandbox/advance') await life.advance(Advance.parse(body).seconds);
  else if (path !== '/sandbox/state') return { status: 404, body: { errors: [] } };
  const { counters, faults, waiting, world } = life;
  return { status: 200, body: { counters, faults, waiting, articles: world.articles.size } };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (question: SandboxRequest) => Promise<Answer>,
): Promise<void> {
  try {
    const chunks: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) chunks.push(part);
    const text = Buffer.concat(chunks).toString('utf8');
    const answered = await answer({
      method: request.method ?? 'GET',
      url: new URL(request.url ?? '/', 'http://sandbox'),
      text,
      body: text.startsWith('{') ? JSON.parse(text) : undefined,
      token: String(request.headers['x-amz-access-token'] ?? ''),
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    });
    if (answered.status === 'cut') {
      response.destroy();
      return;
    }
    const json = typeof answered.body !== 'string' && !Buffer.isBuffer(answered.body);
    const body = answered.body === undefined ? '' : json ? JSON.stringify(answered.body) : answered.body;
    response.writeHead(answered.status, {
      'content-type': json ? 'application/json' : 'text/html',
      'x-amzn-requestid': 'sandbox',
      ...answered.headers,
    });
    response.end(body);
  } catch {
    // An unreadable request is the client's error.
    if (!response.headersSent) response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ errors: [{ code: 'InvalidInput', message: 'The request could not be read.' }] }));
  }
}
