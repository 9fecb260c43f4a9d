import type { z } from 'zod';
import { encodeSegment } from './path-segment.ts';

/**
 * One API call: the server makes its route from it, the browser its request, the API document its entry. `access` is the
 * permission that a session or token must have ('public': none).
 */
export type Call = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path with `{name}` placeholders for parameters, as in the specification. */
  readonly path: string;
  readonly summary: string;
  readonly access: Permission | 'public';
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Absent: the response is no JSON (a file, a stream); the route sends it itself. */
  readonly response?: z.ZodType;
  /** Loads the schema in built pages, in place of `response`. Inserted by `scripts/bundle/light-calls.ts`, never by hand. */
  readonly lateResponse?: () => Promise<z.ZodType>;
  /** Media type of a response that is no JSON; absent if it depends on what was stored. */
  readonly mediaType?: string;
  /** Meaning of statuses other than 200 without an `ErrorBody`; those in `withContent` have content as 200 has. */
  readonly others?: Readonly<Partial<Record<OtherStatus, string>>>;
  /** The body may also be a form, whose fields are texts; otherwise JSON only. */
  readonly form?: boolean;
  /**
   * The input of a route that reads its request itself: a multipart form with a file, or, if `json` is given, JSON with the
   * location of the file.
   */
  readonly upload?: { readonly form: z.ZodObject; readonly json?: z.ZodType };
  /** The body is the bytes of a file; the route reads them as a stream. */
  readonly bytes?: true;
  /** The response may be megabytes: it is written in pieces and not validated against its schema. */
  readonly large?: true;
  /**
   * Request or response contain long texts: the body is parsed, and the response serialised, where the question is computed. The
   * route receives the body's raw bytes and returns the bytes of the response.
   */
  readonly answeredApart?: true;
  /**
   * The response is computed and serialised where the items are; the body is parsed as usual. The route returns the response's
   * bytes.
   */
  readonly writtenApart?: true;
  /** Reads much while a user waits: limited in number and time, and aborted when the client disconnects (docs/security.md). */
  readonly question?: QuestionKind;
  /** A save with revisions: If-Match may carry the revision that the form was loaded with; a stale one is answered with 409. */
  readonly ifMatch?: true;
  /**
   * Touches secrets, members or limits of prices: the session must have given its password or second factor within the last 15
   * minutes.
   */
  readonly stepUp?: true;
  /**
   * Requires a confirmation of a possible mistake: 409 `limits_confirm` with a mark; the call is executed if repeated with that
   * mark in the header CONFIRMED.
   */
  readonly confirmation?: true;
  /**
   * Only for persons and the token named by the environment: other programs must not decide who has access and with what rights.
   */
  readonly people?: true;
  /** Allowed to users who have yet to set up the second factor that their company requires. */
  readonly withoutFactor?: true;
  /** Recorded in the security log as this kind of event: actor, address, and whether it was refused. */
  readonly security?: SecurityKind;
  /**
   * Stores the `Idempotency-Key` itself, with the result, for as long as that exists. The keys of other calls are kept for a day.
   */
  readonly ownKey?: true;
  /** Largest JSON body in bytes; the server's default is 1 MiB (T22). */
  readonly bodyLimit?: number;
};

type OtherStatus = 204 | 206 | 302 | 304 | 416 | 422;
/** Those with content as 200 has. */
export const withContent: ReadonlySet<number> = new Set<OtherStatus>([206, 422]);

/** The header that carries the mark of a confirmation when a call is repeated. */
export const CONFIRMED = 'kontor-confirmed';

/**
 * What a question reads: items of a catalogue, by DuckDB; rows of the database; a file that is written while it is computed.
 * Questions of one kind do not wait for those of another.
 */
export type QuestionKind = 'catalogue' | 'records' | 'file';

/**
 * Permissions of a role. Every signed-in user has 'enter': to see the own identity and the frame of the pages. 'ship': to see
 * orders without prices, ship them and print what goes into the parcel. Orders, personal data of buyers and prices are separate
 * because they touch customers and money.
 */
export const permissions = ['enter', 'read', 'edit', 'run', 'admin', 'ship', 'orders', 'persons', 'prices'] as const;
export type Permission = (typeof permissions)[number];

/** Kinds of events in the security log. */
export const securityKinds = [
  'sign_in',
  'sign_out',
  'proof',
  'session',
  'password',
  'factor',
  'token',
  'member',
  'secret',
  'download',
  'release',
  'prices',
  'persons',
  'settings',
  'deletion',
  'operation',
  'access',
] as const;
export type SecurityKind = (typeof securityKinds)[number];

/** Returns whether a call with a repeated `Idempotency-Key` gets the first response: true for calls that change something. */
export const takesKey = ({ method, access, question, large, ownKey, response, lateResponse }: Call): boolean =>
  method === 'POST' &&
  access !== 'public' &&
  question === undefined &&
  large !== true &&
  ownKey !== true &&
  (response ?? lateResponse) !== undefined;

/** Returns whether a call only reads: nothing is lost if it is refused. */
export const isRead = ({ method, question }: Call): boolean => method === 'GET' || question !== undefined;

export type ParamsOf<C extends Call> = C['params'] extends z.ZodObject ? z.input<C['params']> : undefined;
export type QueryOf<C extends Call> = C['query'] extends z.ZodObject ? z.input<C['query']> : undefined;
export type BodyOf<C extends Call> = C['body'] extends z.ZodType ? z.input<C['body']> : undefined;
export type AnswerOf<C extends Call> = C['response'] extends z.ZodType ? z.output<C['response']> : undefined;

/** Fills the `{name}` placeholders of a call's path, each value as one segment. */
export function pathOf(call: Call, params: Readonly<Record<string, string | number>> = {}): string {
  return call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeSegment(String(params[name] ?? '')));
}
