import type { Account } from '#marketplaces/accounts/accounts.ts';
import type { Connector, PriceAnswer, PriceUpdate } from '#marketplaces/port.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { afterAnswer, type Next, type Submission } from './submission.ts';

/**
 * The first price that a revision of a rule sends to an account is previewed there, which changes nothing. The others are sent
 * only once one is accepted; a refused one ends, and the next one is tried. A passed preview is stored permanently.
 */
export class Previews {
  private readonly passed = new Set<string>();

  /** Returns the rows to process: of a revision that has not passed yet only the first; the others keep waiting. */
  async ready(
    database: Database,
    account: Account,
    connector: Connector,
    rows: readonly Submission[],
  ): Promise<readonly Submission[]> {
    if (connector.previewPrice === undefined || rows.every((row) => this.passed.has(keyOf(account, row)))) return rows;
    for (const key of await database.company(account.company, (trx) => passedKeys(trx, account))) this.passed.add(key);
    const startedKeys = new Set<string>();
    return rows.filter((row) => {
      const key = keyOf(account, row);
      if (this.passed.has(key)) return true;
      const first = !startedKeys.has(key);
      startedKeys.add(key);
      return first;
    });
  }

  /**
   * Returns the result of a row whose preview was refused, without a send; undefined if it may be sent. @throws MarketplaceError
   */
  async refusal(
    database: Database,
    account: Account,
    connector: Connector,
    { row, update, now }: { row: Submission; update: PriceUpdate; now: Date },
  ): Promise<Next | undefined> {
    const key = keyOf(account, row);
    if (connector.previewPrice === undefined || this.passed.has(key)) return undefined;
    const answer = await connector.previewPrice(update);
    if (answer.state !== 'ACCEPTED') return afterPreview(answer, now);
    await database.company(account.company, (trx) => notePassed(trx, account, row, now));
    this.passed.add(key);
    return undefined;
  }
}

/** All rules share one revision; it follows the number of the snapshot. */
const revisionOf = ({ limits_version }: Submission): number => Number(limits_version.split(':')[1] ?? 0);
const keyOf = ({ company, id }: Account, row: Submission) => [company, id, row.rule, revisionOf(row)].join('\n');

function afterPreview(answer: PriceAnswer, now: Date): Next {
  const { message, ...next } = afterAnswer(answer, now);
  return {
    ...next,
    notSent: true,
    message: `Nicht gesendet, schon die Vorprüfung lehnt ihn ab: ${message ?? ''}`.trim(),
  };
}

async function passedKeys(trx: Trx, { company, id }: Account): Promise<string[]> {
  const rows = await trx
    .selectFrom('price_previews')
    .select(['rule', 'revision'])
    .where((eb) => eb.and({ company, account: id }))
    .orderBy('revision', 'desc')
    .limit(1000)
    .execute();
  return rows.map(({ rule, revision }) => [company, id, rule, revision].join('\n'));
}

async function notePassed(trx: Trx, { company, id }: Account, row: Submission, now: Date): Promise<void> {
  await trx
    .insertInto('price_previews')
    .values({ company, account: id, rule: row.rule, revision: revisionOf(row), passed_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
