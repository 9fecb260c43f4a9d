import type { FastifyRequest } from 'fastify';
import type { Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Call, SecurityKind } from '#shared/http/call.ts';

/** What the security log is told. */
export type AuditEvent = {
  company: string;
  kind: SecurityKind;
  result: 'done' | 'begun' | 'refused' | 'failed';
  /** Who did it, as people call him; '' where nobody was signed in. */
  actor: string;
  actorId: string;
  by: 'session' | 'token' | 'nobody';
  address: string;
  what: string;
  subject: string;
};
/** Writes an event, into the transaction of the change where there is one. */
export type AuditSink = (event: AuditEvent, trx?: Trx) => Promise<void>;

/** Refusals that tell of somebody who guesses. */
const GUESSES: ReadonlySet<string> = new Set(['wrong_password', 'wrong_code', 'wrong_passkey', 'too_many_attempts']);
/** These only ask for something that is still to be given. */
const QUESTIONS: ReadonlySet<string> = new Set(['step_up_required', 'second_factor_missing']);

/** Whether a refusal tells of somebody who tries what he must not, or guesses. */
const isSuspicious = (error: unknown): boolean =>
  error instanceof KontorError && (GUESSES.has(error.code) || (error.status === 403 && !QUESTIONS.has(error.code)));

/** The event of one call in the security log. Of calls that have none stands there what is refused; nothing where nobody is signed in. */
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

  /** Says of which kind it is, where only some of what the call does stands in the log. */
  as(kind: SecurityKind): void {
    this.kind = kind;
  }

  /** Says what the call is about, in words for people; without it the parameters of its address stand there. */
  about(subject: string): void {
    this.subject = subject;
  }

  /** Writes the event in the transaction of the change: either both are kept, or neither. */
  async within(trx: Trx, subject?: string): Promise<void> {
    if (subject !== undefined) this.about(subject);
    // A transaction that is repeated after a deadlock comes here again.
    this.written = true;
    await this.write('done', trx);
  }

  /** Does the call and writes how it ended. A file is noted before its first byte leaves. */
  async around<T>(work: () => Promise<T>): Promise<T> {
    const file = this.call.response === undefined;
    if (file) await this.write('begun');
    const answer = await this.watch(work);
    if (!file && !this.written && this.call.security !== 'proof') await this.write('done');
    return answer;
  }

  /** Writes where the work is refused to somebody who tries what he must not. */
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
    // Behind a semicolon a summary tells programs what to expect of the call: no word for somebody who reads what happened.
    const [what = ''] = this.call.summary.split('; ');
    const kind = this.kind ?? this.call.security ?? (result === 'refused' ? 'access' : undefined);
    if (kind === undefined) return;
    // Somebody may be refused before his address is read: what no table can hold is told without it.
    const subject = (this.subject ?? Object.values(Object(params)).join(' ')).replaceAll('\0', '').toWellFormed();
    await recordRequest(this.sink, this.request, { kind, result, what, subject }, trx);
  }
}

/** Writes what somebody did with a request; nothing where nobody is signed in, since that would be in no company's log. */
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
