import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '#platform/clock.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Database } from '#platform/db/database.ts';
import { KontorError, unprocessable } from '#platform/errors.ts';
import { type Call, takesKey } from '#shared/http/call.ts';
import type { Principal } from './server.ts';

/** Returns the `Idempotency-Key` of a request. @throws 422 for one of more than 200 characters */
export function requestKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') return undefined;
  if (key.length > 200) throw unprocessable('invalid', 'Der Idempotency-Key ist zu lang (höchstens 200 Zeichen).');
  return key;
}

type Keyed = { company: string; actor: string; key: string };
type KeyedRequest = Keyed & { call: string; inputHash: string; olderHash: string };
type Work = { call: Call; request: FastifyRequest; input: { params: unknown; query: unknown; body: unknown } };

/**
 * Whether the answer of a call may be stored: not if it holds secrets or personal data. Calls that release or change prices
 * require a proof, but their answers hold no secrets.
 */
const keepsAnswer = ({ stepUp, security }: Call): boolean =>
  security !== 'persons' && (stepUp !== true || security === 'release' || security === 'prices');

/** Makes a request with an Idempotency-Key run only once, even if the client repeats it after a lost connection. */
export class RequestKeys {
  private readonly database: Database;
  private readonly clock: Clock;
  private readonly vault: Vault;

  constructor({ database, clock, vault }: { database: Database; clock: Clock; vault: Vault }) {
    this.database = database;
    this.clock = clock;
    this.vault = vault;
  }

  /**
   * Runs the work of a request, or returns the answer of its first run. The key is stored before the work begins: after a crash
   * in between, a repeat neither reports success nor runs the work again.
   * @throws 409 where the first run is under way, its outcome is unknown, or its answer was not stored; 422 where the key
   * belongs to another request
   */
  async once(work: Work, principal: Principal, perform: () => Promise<unknown>): Promise<unknown> {
    const key = takesKey(work.call) ? requestKeyOf(work.request) : undefined;
    if (key === undefined) return perform();
    const keyed = keyedRequestOf(this.vault, work, principal, key);
    const earlier = await this.take(keyed);
    if (earlier !== undefined) return answerOf(earlier, keyed);
    let answer: unknown;
    try {
      answer = await perform();
    } catch (error) {
      // A refusal changed nothing, so the corrected request may use the same key. After any other error, or if the client
      // disconnected, the outcome is unknown.
      if (error instanceof KontorError && error.code !== 'gone') await this.free(keyed);
      throw error;
    }
    try {
      await this.keep(keyed, keepsAnswer(work.call) ? JSON.stringify(answer) : null);
    } catch (error) {
      // The work is done, and the client gets the answer; a repeat with the same key gets 409, outcome unknown.
      work.request.log.warn({ err: error }, 'the response of an idempotency key could not be stored');
    }
    return answer;
  }

  /** Stores a key; returns the row of the earlier request if the key exists already. */
  private take({ company, actor, key, call, inputHash }: KeyedRequest) {
    return this.database.company(company, async (trx) => {
      const row = { company, actor, key, call, input_hash: inputHash, state: 'begun' as const, at: this.clock.now() };
      // If the key was freed between the two statements, because its request was refused, it can be taken in the next iteration.
      for (;;) {
        const added = await trx
          .insertInto('request_keys')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (added.numInsertedOrUpdatedRows === 1n) return undefined;
        const earlier = await trx
          .selectFrom('request_keys')
          .select(['call', 'input_hash', 'state', 'answer'])
          .where((eb) => eb.and({ company, actor, key }))
          .executeTakeFirst();
        if (earlier !== undefined) return earlier;
      }
    });
  }

  private async keep({ company, actor, key }: Keyed, answer: string | null): Promise<void> {
    await this.database.company(company, (trx) =>
      trx
        .updateTable('request_keys')
        .set({ state: 'done', answer })
        .where((eb) => eb.and({ company, actor, key }))
        .execute(),
    );
  }

  private async free({ company, actor, key }: Keyed): Promise<void> {
    await this.database.company(company, (trx) =>
      trx
        .deleteFrom('request_keys')
        .where((eb) => eb.and({ company, actor, key }))
        .execute(),
    );
  }
}

function keyedRequestOf(
  vault: Vault,
  { call, request, input }: Work,
  { company, by, userId, email }: Principal,
  key: string,
): KeyedRequest {
  // The uploaded file is not part of the hash: the same key with another file counts as the same request.
  const content = [
    input.params,
    input.query,
    call.upload === undefined ? input.body : (request.body ?? null),
    request.headers['if-match'],
  ];
  const text = JSON.stringify(content);
  // The content may include a password: with a hash without a secret key, a reader of the table could guess it, a thousand times
  // as fast as from a password hash.
  const inputHash = vault.mark(company, `request ${text}`);
  // The hash that earlier versions stored; rows are deleted after a day.
  const olderHash = createHash('sha256').update(text).digest('base64url');
  const named = { company, actor: `${by} ${userId ?? email}`, key, call: `${call.method} ${call.path}` };
  return { ...named, inputHash, olderHash };
}

type Earlier = { call: string; input_hash: string; state: string; answer: string | null };

function answerOf(earlier: Earlier, { call, inputHash, olderHash }: KeyedRequest): unknown {
  if (earlier.call !== call || (earlier.input_hash !== inputHash && earlier.input_hash !== olderHash))
    throw unprocessable(
      'key_used',
      'Dieser Schlüssel (Idempotency-Key) gehört schon zu einer anderen Anfrage. Es wurde nichts geändert.',
    );
  if (earlier.state === 'begun')
    throw new KontorError(
      409,
      'request_open',
      'Eine Anfrage mit diesem Schlüssel (Idempotency-Key) hat begonnen, und ihr Ende ist nicht bekannt. Sie wird nicht noch einmal ausgeführt. Bitte sehen Sie nach, was daraus wurde, und senden Sie sie sonst mit einem neuen Schlüssel.',
    );
  if (earlier.answer === null)
    throw new KontorError(
      409,
      'request_done',
      'Diese Anfrage wurde schon ausgeführt. Ihre Antwort war vertraulich und wird nicht aufbewahrt.',
    );
  return JSON.parse(earlier.answer);
}
