import {
  type AnswerOf,
  type BodyOf,
  type Call,
  CONFIRMED,
  type ParamsOf,
  pathOf,
  type QueryOf,
  takesKey,
} from '#shared/http/call.ts';
import type { ErrorBody } from '#shared/http/errors.ts';
import { formKey } from './form-key.ts';
import { LIVE_MEDIA_TYPE } from '#shared/live/component-protocol.ts';

/** How a call reaches the server: the browser's fetch, or inside a loader the server's own (same signature). `told`: see CallInput.told. */
export type Fetch = (path: string, init?: RequestInit, told?: string) => Promise<Response>;

type Need<Name extends string, Value> = [Value] extends [undefined]
  ? { [N in Name]?: undefined }
  : { [N in Name]: Value };
type OptionalQuery<C extends Call> = [QueryOf<C>] extends [undefined] ? { query?: undefined } : { query?: QueryOf<C> };

export type CallInput<C extends Call> = Need<'params', ParamsOf<C>> &
  Need<'body', BodyOf<C>> &
  OptionalQuery<C> &
  // Revision the form was loaded with; a stale one is answered with 409.
  (C['ifMatch'] extends true ? { ifMatch?: number } : { ifMatch?: undefined }) &
  // What somebody was told that moves, in the server's words, and agreed to: asked back about in just these, it is answered already.
  (C['confirmation'] extends true ? { told?: string | undefined } : { told?: undefined }) & {
    signal?: AbortSignal;
    /** The same for every try of one form: a second one is answered with what became of the first. */
    idempotencyKey?: string;
  };
type CallArguments<C extends Call> = [ParamsOf<C>, BodyOf<C>] extends [undefined, undefined]
  ? [input?: CallInput<C>]
  : [input: CallInput<C>];

/** Asks for one line of shared/http/api.ts. */
export type Ask = <C extends Call>(endpoint: C, ...input: CallArguments<C>) => Promise<AnswerOf<C>>;

type LooseInput = {
  params?: Record<string, string | number>;
  query?: Record<string, unknown>;
  body?: unknown;
  ifMatch?: number;
  told?: string | undefined;
  signal?: AbortSignal;
  idempotencyKey?: string;
};

/** A call that did not succeed. `message` is German and may be shown as it stands. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: string;
  readonly fields: readonly { field: string; message: string }[];
  readonly requestId: string;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;

  constructor(status: number, error: ErrorBody['error'], cause?: unknown) {
    super(error.message, { cause });
    this.status = status;
    this.code = error.code;
    this.fields = error.fields ?? [];
    this.requestId = error.requestId;
  }
}

/**
 * One call of our API from the browser, typed by its line in shared/http/api.ts.
 * @throws CallError for every answer that is not 2xx, for an answer of another shape and for a lost connection;
 * an abort by `signal` is thrown as it is.
 */
export const call: Ask = askOver(fetchAsked, new Map());

/** What the server asks back before it does a call: who it is, or whether so many limits of prices shall move. */
export type AskedBack = { code: 'step_up_required' | 'limits_confirm'; message: string };
let answerBack: ((asked: AskedBack) => Promise<boolean>) | undefined;

/** `answer` is called where the server asks back, and says whether the call shall go on. Returns how it is taken back. */
export function onAskedBack(answer: (asked: AskedBack) => Promise<boolean>): () => void {
  answerBack = answer;
  return () => {
    if (answerBack === answer) answerBack = undefined;
  };
}

/** The browser's fetch; a call that is asked back is repeated once that was answered, so nothing has to be typed twice. */
async function fetchAsked(path: string, init?: RequestInit, told = ''): Promise<Response> {
  const headers = new Headers(init?.headers);
  let known = told;
  for (;;) {
    const answer = await fetch(path, { ...init, headers });
    if (answer.status !== 403 && answer.status !== 409) return answer;
    const error = await errorIn(jsonOf(await answer.clone().text()));
    if (error?.code !== 'step_up_required' && error?.code !== 'limits_confirm') return answer;
    const { code, message, confirm } = error;
    // Other numbers, fewer ones too, may be those of another change: somebody has to read them.
    const wasTold = confirm !== undefined && message === known;
    if (!wasTold && !(await answerBack?.({ code, message }))) return answer;
    if (confirm === undefined) continue;
    headers.set(CONFIRMED, confirm.mark);
    known = '';
  }
}

/** So long after a lost answer the same request is taken for the same wish. */
const SAME_WISH_MS = 60_000;
/** Keys of requests whose answers were lost, by what was asked; `at` in ms. */
type UnansweredKeys = Map<string, { key: string; at: number }>;

/**
 * `call` over another way to the server: loaders ask in the server's own process. With `unanswered` a request whose answer was lost
 * goes out under the same key when somebody asks again, so that it is done once whether or not it had arrived.
 */
export function askOver(fetch: Fetch, unanswered?: UnansweredKeys, now: () => number = Date.now): Ask {
  async function request<C extends Call>(endpoint: C, ...input: CallArguments<C>): Promise<AnswerOf<C>>;
  async function request(endpoint: Call, input: LooseInput = {}): Promise<unknown> {
    await shapeOf(endpoint);
    const address = addressOf(endpoint, input);
    if (unanswered === undefined || !takesKey(endpoint) || input.idempotencyKey !== undefined) {
      const answer = await reach(fetch, address, requestOf(endpoint, input), input.told);
      return readAnswer(endpoint, answer.status, await answer.text());
    }
    const fingerprint = `${address} ${JSON.stringify([input.body, input.ifMatch])}`;
    const earlier = unanswered.get(fingerprint);
    unanswered.delete(fingerprint);
    const key = earlier !== undefined && now() - earlier.at < SAME_WISH_MS ? earlier.key : formKey();
    try {
      const init = requestOf(endpoint, { ...input, idempotencyKey: key });
      const answer = await reach(fetch, address, init, input.told);
      return await readAnswer(endpoint, answer.status, await answer.text());
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      // Where something between browser and server answered, the server may have done it.
      const lost = error.status === 0 || (error.code === foreignAnswer && lostOnTheWay.has(error.status));
      if (lost) unanswered.set(fingerprint, { key, at: now() });
      throw error;
    }
  }
  return request;
}
const lostOnTheWay: ReadonlySet<number> = new Set([502, 503, 504]);

/** HDR-06: milliseconds that a form may take to be sent and answered. */
export const formTimeout = 800_000;

type FormSave = { params: Record<string, string>; body: FormData; ifMatch: number; signal: AbortSignal };

/** A save that goes out as browsers send forms. @throws CallError as `call` does */
export async function callForm<C extends Call>(endpoint: C, save: FormSave): Promise<AnswerOf<C>>;
export async function callForm(endpoint: Call, { params, body, ifMatch, signal }: FormSave): Promise<unknown> {
  const headers = { 'x-kontor': '1', accept: 'application/json', 'if-match': String(ifMatch) };
  const init: RequestInit = { method: endpoint.method, body, headers, signal, credentials: 'same-origin' };
  await shapeOf(endpoint);
  const answer = await reach(fetchAsked, addressOf(endpoint, { params }), init);
  return readAnswer<Call>(endpoint, answer.status, await answer.text());
}

/** A file that a call answers with, and the name that the server gave it. @throws CallError as `call` does */
export async function callFile<C extends Call>(
  endpoint: C,
  ...input: CallArguments<C>
): Promise<{ file: Blob; name: string }>;
export async function callFile(endpoint: Call, input: LooseInput = {}): Promise<{ file: Blob; name: string }> {
  const answer = await reach(fetchAsked, addressOf(endpoint, input), requestOf(endpoint, input));
  if (!answer.ok) await readAnswer(endpoint, answer.status, await answer.text());
  const [, name] = /filename\*=UTF-8''([^;]+)/.exec(answer.headers.get('content-disposition') ?? '') ?? [];
  return { file: await answer.blob(), name: name === undefined ? 'datei' : decodeURIComponent(name) };
}

/** A request of a live component (LVC-01), whose answer is no JSON. @throws CallError for a connection that gave no answer */
export function callLive(address: string, init: RequestInit): Promise<Response> {
  const headers = { accept: LIVE_MEDIA_TYPE, 'x-requested-with': 'XMLHttpRequest', 'x-kontor': '1' };
  return reach((path, request) => fetch(path, request), address, { ...init, headers, credentials: 'same-origin' });
}

function requestOf(endpoint: Call, input: LooseInput): RequestInit {
  const headers = new Headers({ accept: 'application/json' });
  if (endpoint.method !== 'GET') headers.set('x-kontor', '1');
  if (input.ifMatch !== undefined) headers.set('if-match', String(input.ifMatch));
  if (input.idempotencyKey !== undefined) headers.set('idempotency-key', input.idempotencyKey);
  const init: RequestInit = {
    method: endpoint.method,
    headers,
    signal: input.signal ?? null,
    credentials: 'same-origin',
  };
  if (endpoint.method === 'POST') {
    headers.set('content-type', 'application/json');
    init.body = JSON.stringify(input.body ?? {});
  }
  return init;
}

/** The relative address of a call with its parameters and query filled in, for links and downloads. */
export function addressOf(endpoint: Call, { params, query }: Pick<LooseInput, 'params' | 'query'> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (typeof value === 'number' || (typeof value === 'string' && value !== '')) search.set(name, String(value));
  }
  const text = search.toString();
  return pathOf(endpoint, params) + (text === '' ? '' : `?${text}`);
}

/** Makes a call's value of an answer that has arrived as text. @throws CallError as `call` does */
export async function readAnswer<C extends Call>(endpoint: C, status: number, text: string): Promise<AnswerOf<C>>;
export async function readAnswer(endpoint: Call, status: number, text: string): Promise<unknown> {
  const json = jsonOf(text);
  if (status < 200 || status > 299) throw await failureOf(status, json);
  const shape = await shapeOf(endpoint);
  if (shape === undefined) return undefined;
  const parsed = shape.safeParse(json);
  if (parsed.success) return parsed.data;
  // What exactly differs is for the diagnostic log, not for whoever reads the notice.
  throw new CallError(
    status,
    {
      code: 'bad_answer',
      message: 'Die Antwort des Servers war unverständlich. Bitte laden Sie die Seite neu.',
      requestId: '',
    },
    parsed.error,
  );
}

/**
 * The shape of a call's answer. Pages load it with their first call, and before that goes out: what cannot be understood is not
 * done. @throws CallError where it cannot be loaded
 */
export async function shapeOf(endpoint: Call): Promise<Call['response']> {
  if (endpoint.lateResponse === undefined) return endpoint.response;
  try {
    return await endpoint.lateResponse();
  } catch (cause) {
    throw new CallError(0, { code: 'page_outdated', message: outdatedPage, requestId: '' }, cause);
  }
}

const outdatedPage =
  'Der Server ist nicht erreichbar, oder es gibt eine neue Fassung dieser Seite. Es wurde nichts gesendet; bitte laden Sie die Seite neu.';

/** The error of one of our own answers. Its shape is loaded when it is needed: pages begin without. */
async function errorIn(json: unknown): Promise<ErrorBody['error'] | undefined> {
  const { ErrorBody: shape } = await import('#shared/http/errors.ts');
  return shape.safeParse(json).data?.error;
}

/** The error of an answer that is not 2xx; one without our body came from something in between (ITE-06). */
async function failureOf(status: number, json: unknown): Promise<CallError> {
  const error = await errorIn(json);
  if (error !== undefined) return new CallError(status, error);
  return new CallError(status, { code: foreignAnswer, message: foreignText(status), requestId: '' });
}

/** The code of a failure that something between browser and server answered with. */
export const foreignAnswer = 'foreign_answer';

function foreignText(status: number): string {
  if (status === 413)
    return 'Die Anfrage ist größer, als ein Server auf dem Weg zu Kontor erlaubt (Antwort 413). Bitte teilen Sie sie auf, oder lassen Sie die Grenze dort anheben.';
  if (status === 502 || status === 503 || status === 504)
    return `Der Server ist gerade nicht erreichbar (Antwort ${status}). Bitte versuchen Sie es in einer Minute erneut.`;
  return `Statt Kontor hat ein Server auf dem Weg geantwortet (Antwort ${status}). Bitte prüfen Sie Ihre Verbindung, und versuchen Sie es erneut.`;
}

/** The error of a connection that gave no answer at all. */
export function lostConnection(): CallError {
  return new CallError(0, {
    code: 'unreachable',
    message: 'Der Server ist nicht erreichbar. Bitte prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    requestId: '',
  });
}

async function reach(fetch: Fetch, address: string, init: RequestInit, told?: string): Promise<Response> {
  try {
    return await fetch(address, init, told);
  } catch (error) {
    init.signal?.throwIfAborted();
    throw error instanceof CallError ? error : lostConnection();
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
