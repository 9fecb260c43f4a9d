import type { FastifyRequest } from 'fastify';
import type { Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Call, SecurityKind } from '#shared/http/call.ts';

/** An event of the security log. */
export type AuditEvent = {
  company: string;
  kind: SecurityKind;
  result: 'done' | 'begun' | 'refused' | 'failed';
  /** Display name of the user; '' if nobody was signed in. */
  actor: string;
  actorId: string;
  by: 'session' | 'token' | 'nobody';
  address: string;
  what: string;
  subject: string;
};
/** Stores an event, in the transaction of the change if there is one. */
export type AuditSink = (event: AuditEvent, trx?: Trx) => Promise<void>;

/** Error codes of refusals that indicate guessing. */
const GUESSES: ReadonlySet<string> = new Set(['wrong_password', 'wrong_code', 'wrong_passkey', 'too_many_attempts']);
/** Error codes that only request something the user has yet to supply. */
const QUESTIONS: ReadonlySet<string> = new Set(['step_up_required', 'second_factor_missing']);

/** Whether a refusal indicates guessing, or an attempt at something forbidden. */
const isSuspicious = (error: unknown): boolean =>
  error instanceof KontorError && (GUESSES.has(error.code) || (error.status === 403 && !QUESTIONS.has(error.code)));

/** The security-log event of one call. Calls without an event log refusals only; nothing is logged if nobody is signed in. */
export class Audit {
  private readonly sink: AuditSink | null;
  private readonly call: Call;
  private readonly request: FastifyRequest;
  private subject: string | undefined;
  private kind: SecurityKind | undefined;
  private written = false;

  constructor(sink: AuditSink | null, call: Call, request: FastifyRequest) {
    this.sink = sink;
    this.call = call;
    this.request = request;
  }

  /** Sets the kind of the event, for calls of which only some actions are logged. */
  as(kind: SecurityKind): void {
    this.kind = kind;
  }

  /** Sets what the call is about, in words for people; otherwise the path parameters are logged. */
  about(subject: string): void {
    this.subject = subject;
  }

  /** Writes the event in the transaction of the change: both are stored, or neither. */
  async within(trx: Trx, subject?: string): Promise<void> {
    if (subject !== undefined) this.about(subject);
    // A transaction that is repeated after a deadlock runs this again.
    this.written = true;
    await this.write('done', trx);
  }

  /** Runs the call and logs its outcome. A file download is logged before its first byte is sent. */
  async around<T>(work: () => Promise<T>): Promise<T> {
    const file = this.call.response === undefined;
    if (file) await this.write('begun');
    const answer = await this.watch(work);
    if (!file && !this.written && this.call.security !== 'proof') await this.write('done');
    return answer;
  }

  /** Runs `work`, and logs its refusal if it indicates guessing or something forbidden. */
  async watch<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isSuspicious(error)) await this.write('refused');
      throw error;
    }
  }

  private async write(result: AuditEvent['result'], trx?: Trx): Promise<void> {
    const { params } = this.request;
    // In a summary, the text after a semicolon is for programs and of no use in the log.
    const [what = ''] = this.call.summary.split('; ');
    const kind = this.kind ?? this.call.security ?? (result === 'refused' ? 'access' : undefined);
    if (kind === undefined) return;
    // The path may not have been validated before the refusal: characters that the database cannot store are removed.
    const subject = (this.subject ?? Object.values(Object(params)).join(' ')).replaceAll('\0', '').toWellFormed();
    await recordRequest(this.sink, this.request, { kind, result, what, subject }, trx);
  }
}

/** Logs an action of a request; does nothing if nobody is signed in, as the event would belong to no company's log. */
export async function recordRequest(
  sink: AuditSink | null,
  { principal, ip }: FastifyRequest,
  happened: Pick<AuditEvent, 'kind' | 'result' | 'what' | 'subject'>,
  trx?: Trx,
): Promise<void> {
  if (principal === null || sink === null) return;
  const { company, name, userId, email, by } = principal;
  const actor = by === 'session' ? `${name} (${email})` : name;
  await sink({ company, ...happened, actor, actorId: userId ?? email, by, address: ip }, trx);
}
