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

/** Sends a call to the server: the browser's fetch, or in a loader an in-process one. `confirmedQuestion`: see CallInput.told. */
export type Fetch = (path: string, init?: RequestInit, confirmedQuestion?: string) => Promise<Response>;

type Need<Name extends string, Value> = [Value] extends [undefined]
  ? { [N in Name]?: undefined }
  : { [N in Name]: Value };
type OptionalQuery<C extends Call> = [QueryOf<C>] extends [undefined] ? { query?: undefined } : { query?: QueryOf<C> };

export type CallInput<C extends Call> = Need<'params', ParamsOf<C>> &
  Need<'body', BodyOf<C>> &
  OptionalQuery<C> &
  // Revision that the form was loaded with; the server answers a stale one with 409.
  (C['ifMatch'] extends true ? { ifMatch?: number } : { ifMatch?: undefined }) &
  // The warning that the user has already confirmed, in the server's words; it is not asked again if the server repeats it.
  (C['confirmation'] extends true ? { told?: string | undefined } : { told?: undefined }) & {
    signal?: AbortSignal;
    /** The same key for every attempt of one form: a repeated request is answered with the result of the first. */
    idempotencyKey?: string;
  };
type CallArguments<C extends Call> = [ParamsOf<C>, BodyOf<C>] extends [undefined, undefined]
  ? [input?: CallInput<C>]
  : [input: CallInput<C>];

/** Sends one call of shared/http/api.ts. */
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

/** A call that did not succeed. `message` is German and may be shown to the user unchanged. */
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
 * Sends one call of our API from the browser, typed by its entry in shared/http/api.ts. An abort by `signal` is thrown unchanged.
 * @throws CallError for an answer that is not 2xx or has an unexpected shape, and for a lost connection
 */
export const call: Ask = askOver(fetchConfirmed, new Map());

/** A confirmation that the server demands before a call: a renewed sign-in, or consent to changing many price limits. */
export type ConfirmationRequest = { code: 'step_up_required' | 'limits_confirm'; message: string };
let answerBack: ((asked: ConfirmationRequest) => Promise<boolean>) | undefined;

/** Registers `answer`, called when the server demands a confirmation: true repeats the call. Returns the unregister function. */
export function onConfirmationRequest(answer: (asked: ConfirmationRequest) => Promise<boolean>): () => void {
  answerBack = answer;
  return () => {
    if (answerBack === answer) answerBack = undefined;
  };
}

/** The browser's fetch, repeated after a confirmation that the server demanded, so that the user types nothing twice. */
async function fetchConfirmed(path: string, init?: RequestInit, confirmedQuestion = ''): Promise<Response> {
  const headers = new Headers(init?.headers);
  let known = confirmedQuestion;
  for (;;) {
    const answer = await fetch(path, { ...init, headers });
    if (answer.status !== 403 && answer.status !== 409) return answer;
    const error = await errorIn(jsonOf(await answer.clone().text()));
    if (error?.code !== 'step_up_required' && error?.code !== 'limits_confirm') return answer;
    const { code, message, confirm } = error;
    // Other numbers, even smaller ones, may belong to another change: the user has to read them.
    const wasConfirmed = confirm !== undefined && message === known;
    if (!wasConfirmed && !(await answerBack?.({ code, message }))) return answer;
    if (confirm === undefined) continue;
    headers.set(CONFIRMED, confirm.mark);
    known = '';
  }
}

/** Milliseconds after a lost answer in which an identical request counts as a repetition of it. */
const SAME_WISH_MS = 60_000;
/** Idempotency keys of requests whose answers were lost, by the request's fingerprint; `at` in ms. */
type UnansweredKeys = Map<string, { key: string; at: number }>;

/**
 * Makes a `call` over another way to the server, e.g. in process for loaders. With `unanswered`, a request whose answer was lost
 * is sent again under the same key, so that it is carried out once whether or not it had arrived.
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
      // An answer from something between browser and server does not tell whether the server carried out the call.
      const lost = error.status === 0 || (error.code === foreignAnswer && lostOnTheWay.has(error.status));
      if (lost) unanswered.set(fingerprint, { key, at: now() });
      throw error;
    }
  }
  return request;
}
const lostOnTheWay: ReadonlySet<number> = new Set([502, 503, 504]);

/** HDR-06: milliseconds within which a form must be sent and answered. */
export const formTimeout = 800_000;

type FormSave = { params: Record<string, string>; body: FormData; ifMatch: number; signal: AbortSignal };

/** Saves with multipart form data, as browsers send forms. @throws CallError as `call` does */
export async function callForm<C extends Call>(endpoint: C, save: FormSave): Promise<AnswerOf<C>>;
export async function callForm(endpoint: Call, { params, body, ifMatch, signal }: FormSave): Promise<unknown> {
  const headers = { 'x-kontor': '1', accept: 'application/json', 'if-match': String(ifMatch) };
  const init: RequestInit = { method: endpoint.method, body, headers, signal, credentials: 'same-origin' };
  await shapeOf(endpoint);
  const answer = await reach(fetchConfirmed, addressOf(endpoint, { params }), init);
  return readAnswer<Call>(endpoint, answer.status, await answer.text());
}

/** Returns the file that a call answers with, and the name that the server gave it. @throws CallError as `call` does */
export async function callFile<C extends Call>(
  endpoint: C,
  ...input: CallArguments<C>
): Promise<{ file: Blob; name: string }>;
export async function callFile(endpoint: Call, input: LooseInput = {}): Promise<{ file: Blob; name: string }> {
  const answer = await reach(fetchConfirmed, addressOf(endpoint, input), requestOf(endpoint, input));
  if (!answer.ok) await readAnswer(endpoint, answer.status, await answer.text());
  const [, name] = /filename\*=UTF-8''([^;]+)/.exec(answer.headers.get('content-disposition') ?? '') ?? [];
  return { file: await answer.blob(), name: name === undefined ? 'datei' : decodeURIComponent(name) };
}

/** Sends a request of a live component (LVC-01); its answer is not JSON. @throws CallError if the connection gave no answer */
export function callLive(address: string, init: RequestInit): Promise<Response> {
  const headers = { accept: LIVE_MEDIA_TYPE, 'x-requested-with': 'XMLHttpRequest', 'x-kontor': '1' };
  return reach((path, request) => fetch(path, request), address, { ...init, headers, credentials: 'same-origin' });
}

/** Makes the browser store one of the page's own files. @throws if it cannot be read to its end */
export async function callAsset(address: string): Promise<void> {
  const answer = await fetch(address);
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${address} was answered with ${answer.status}`);
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

/** Returns the relative address of a call with its parameters and query filled in, for links and downloads. */
export function addressOf(endpoint: Call, { params, query }: Pick<LooseInput, 'params' | 'query'> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (typeof value === 'number' || (typeof value === 'string' && value !== '')) search.set(name, String(value));
  }
  const text = search.toString();
  return pathOf(endpoint, params) + (text === '' ? '' : `?${text}`);
}

/** Parses an answer that has arrived as text into the call's value. @throws CallError as `call` does */
export async function readAnswer<C extends Call>(endpoint: C, status: number, text: string): Promise<AnswerOf<C>>;
export async function readAnswer(endpoint: Call, status: number, text: string): Promise<unknown> {
  const json = jsonOf(text);
  if (status < 200 || status > 299) throw await failureOf(status, json);
  const shape = await shapeOf(endpoint);
  if (shape === undefined) return undefined;
  const parsed = shape.safeParse(json);
  if (parsed.success) return parsed.data;
  // What exactly differs belongs in the diagnostic log, not in the user's notice.
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
 * Returns the schema of a call's answer. It is loaded before the request is sent: a call whose answer could not be read must not
 * be carried out. @throws CallError if it cannot be loaded
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
  'Der Server ist nicht erreichbar, oder es gibt eine neue Fassung dieser Seite. Es wurde nichts gesendet. Bitte versuchen Sie es noch einmal, und laden Sie die Seite neu, wenn das nicht hilft.';

/** Returns the error in one of our own answers. Its schema is loaded on demand, so that pages start without it. */
async function errorIn(json: unknown): Promise<ErrorBody['error'] | undefined> {
  const { ErrorBody: shape } = await import('#shared/http/errors.ts');
  return shape.safeParse(json).data?.error;
}

/** Makes the error of an answer that is not 2xx; without our body it came from something in between (ITE-06). */
async function failureOf(status: number, json: unknown): Promise<CallError> {
  const error = await errorIn(json);
  if (error !== undefined) return new CallError(status, error);
  return new CallError(status, { code: foreignAnswer, message: foreignText(status), requestId: '' });
}

/** The code of a failure that came from something between browser and server, such as a proxy. */
export const foreignAnswer = 'foreign_answer';

function foreignText(status: number): string {
  if (status === 413)
    return 'Die Anfrage ist größer, als ein Server auf dem Weg zu Kontor erlaubt (Antwort 413). Bitte teilen Sie sie auf, oder lassen Sie die Grenze dort anheben.';
  if (status === 502 || status === 503 || status === 504)
    return `Der Server ist gerade nicht erreichbar (Antwort ${status}). Bitte versuchen Sie es in einer Minute erneut.`;
  return `Statt Kontor hat ein Server auf dem Weg geantwortet (Antwort ${status}). Bitte prüfen Sie Ihre Verbindung, und versuchen Sie es erneut.`;
}

/** Makes the error of a connection that gave no answer at all. */
export function lostConnection(): CallError {
  return new CallError(0, {
    code: 'unreachable',
    message: 'Der Server ist nicht erreichbar. Bitte prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    requestId: '',
  });
}

async function reach(fetch: Fetch, address: string, init: RequestInit, confirmedQuestion?: string): Promise<Response> {
  try {
    return await fetch(address, init, confirmedQuestion);
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
