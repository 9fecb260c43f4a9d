import type { z } from 'zod';

/**
 * One call of the wire: the server makes its route from it, the browser its request, the API document its entry.
 * `access` is the permission that a session or token must hold ('public': none at all).
 */
export type Call = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path with `{name}` marks for parameters, as the specification writes it. */
  readonly path: string;
  readonly summary: string;
  readonly access: Permission | 'public';
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Absent: the answer is no JSON (a file, a stream); the route sends it itself. */
  readonly response?: z.ZodType;
  /** In built pages, in place of `response`: loads it. `scripts/light-calls.ts` puts it in, nobody writes it. */
  readonly lateResponse?: () => Promise<z.ZodType>;
  /** Media type of an answer that is no JSON; absent when it depends on what was stored. */
  readonly mediaType?: string;
  /** What other statuses than 200 mean that are no `ErrorBody`; those of `withContent` have a file as 200 has. */
  readonly others?: Readonly<Partial<Record<OtherStatus, string>>>;
  /** The body may come as a form too, whose fields are texts; JSON alone otherwise. */
  readonly form?: boolean;
  /** What a route takes that reads its request itself: a multipart form with a file, or JSON, where it takes that, that tells where the file lies. */
  readonly upload?: { readonly form: z.ZodObject; readonly json?: z.ZodType };
  /** The body is bytes of a file, as they are; the route reads them as they come. */
  readonly bytes?: true;
  /** The answer may be megabytes: it is written in pieces, and what its types promise is not looked through once more. */
  readonly large?: true;
  /**
   * Asks with long texts, or is answered with such: body and answer are read and written where the question is computed. The route gets the
   * body's bytes, unread, and gives the bytes of the answer.
   */
  readonly answeredApart?: true;
  /** The answer is computed and written where the items are; the body is read as usual. The route gives the answer's bytes. */
  readonly writtenApart?: true;
  /** Reads much while somebody waits: so many at a time, for so long, and no longer than its asker is there (docs/security.md). */
  readonly question?: QuestionKind;
  /** A save of something with revisions: If-Match may carry the one that the form was loaded with; a stale one is answered with 409. */
  readonly ifMatch?: true;
  /** Touches secrets, members or limits of prices: a session must have given password or second factor within a quarter of an hour. */
  readonly stepUp?: true;
  /** Asks back where it may be a slip: 409 `limits_confirm` with a mark, and is done when the same comes again with that mark in the header CONFIRMED. */
  readonly confirmation?: true;
  /** Asked by persons, and by the token that the environment names, alone: who gets in, and with what rights, is nothing that other programs decide. */
  readonly people?: true;
  /** May be asked by those who have yet to set up the second factor that their company wants. */
  readonly withoutFactor?: true;
  /** Stands in the security log, as an event of this kind: who did it, from where, and whether it was refused. */
  readonly security?: SecurityKind;
  /** Keeps the `Idempotency-Key` itself, with what it did, for as long as that is known. Other calls' keys are kept for a day. */
  readonly ownKey?: true;
  /** Largest JSON body in bytes; the server's default is 1 MiB (T22). */
  readonly bodyLimit?: number;
};

type OtherStatus = 204 | 206 | 302 | 304 | 416 | 422;
/** Of those the ones that have content as 200 has. */
export const withContent: ReadonlySet<number> = new Set<OtherStatus>([206, 422]);

/** The header of a call that comes again after it was asked back, with the mark of the question. */
export const CONFIRMED = 'kontor-confirmed';

/**
 * What a question works on: the items of a catalogue, by DuckDB; rows of the database; a file that is written while it is computed.
 * Those of one kind do not wait for those of another.
 */
export type QuestionKind = 'catalogue' | 'records' | 'file';

/**
 * What a role may do. Whoever is signed in may 'enter': see who he is and the frame of the pages. 'ship': see orders without their
 * prices, ship them and print what goes into the parcel. Orders, personal data of buyers and prices stand apart because they touch customers and money. */
export const permissions = ['enter', 'read', 'edit', 'run', 'admin', 'ship', 'orders', 'persons', 'prices'] as const;
export type Permission = (typeof permissions)[number];

/** What the security log tells apart. */
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

/** Whether an `Idempotency-Key` makes a second try of the call get the answer of the first: everything that changes something. */
export const takesKey = ({ method, access, question, large, ownKey, response, lateResponse }: Call): boolean =>
  method === 'POST' &&
  access !== 'public' &&
  question === undefined &&
  large !== true &&
  ownKey !== true &&
  (response ?? lateResponse) !== undefined;

/** Whether a call only reads: then nothing was to be saved where it is refused. */
export const isRead = ({ method, question }: Call): boolean => method === 'GET' || question !== undefined;

export type ParamsOf<C extends Call> = C['params'] extends z.ZodObject ? z.input<C['params']> : undefined;
export type QueryOf<C extends Call> = C['query'] extends z.ZodObject ? z.input<C['query']> : undefined;
export type BodyOf<C extends Call> = C['body'] extends z.ZodType ? z.input<C['body']> : undefined;
export type AnswerOf<C extends Call> = C['response'] extends z.ZodType ? z.output<C['response']> : undefined;

/** Fills the `{name}` marks of a call's path, each value percent-encoded. */
export function pathOf(call: Call, params: Readonly<Record<string, string | number>> = {}): string {
  return call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')));
}
