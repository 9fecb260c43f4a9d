import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Database, Trx } from '#platform/db/database.ts';
import { KontorError, notFound } from '#platform/errors.ts';
import type { Store } from '#platform/storage/store.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { deleteRows } from './company-data.ts';

/** The job that tells the demo company's story: where its row is, the company holds examples. */
export const EXAMPLES_JOB = { kind: 'demo-story', subject: 'demo' } as const;

const Story = z.object({ account: z.string() });
/** How long a run may take to notice that it was cancelled, and how often that is looked at. */
const PATIENCE_MS = 20_000;
const LOOK_MS = 100;

export type ExampleDeps = {
  database: Database;
  jobs: Jobs;
  storagePaths: { company: (company: string) => string; store: Pick<Store, 'removeBelow'> };
  /** Ends the marketplace in this process that stands behind the examples' account. */
  stopDemoMarket: (company: string) => Promise<void>;
  log: Log;
};

/** The marketplace account of the examples; undefined where a company holds none. */
async function exampleAccount(trx: Trx, company: string): Promise<string | undefined> {
  const job = await trx
    .selectFrom('jobs')
    .select('payload')
    .where((eb) => eb.and({ company, ...EXAMPLES_JOB }))
    .limit(1)
    .executeTakeFirst();
  return job && Story.parse(JSON.parse(job.payload)).account;
}

/** Whether a company holds the examples of a first start. */
export const hasExamples = ({ database }: ExampleDeps, company: string): Promise<boolean> =>
  database.company(company, async (trx) => (await exampleAccount(trx, company)) !== undefined);

/**
 * Empties a company that a first start filled with examples: all its rows and files but members and API tokens, what somebody added
 * to them included. Runs are cancelled first.
 * @throws 404 without examples, 409 where prices of a real account are told of or a run does not end
 */
export async function removeExamples(
  deps: ExampleDeps,
  company: string,
  note: (trx: Trx) => Promise<void>,
): Promise<void> {
  const { database, jobs, storagePaths, stopDemoMarket, log } = deps;
  await database.company(company, (trx) => refuseRealTrade(trx, company));
  await endRuns(deps, company);
  await stopDemoMarket(company);
  for (;;) {
    // A run may have begun behind the look; one that is locked here is taken by nobody.
    const deleted = await database.company(company, async (trx) => {
      await refuseRealTrade(trx, company);
      const all = await trx.selectFrom('jobs').select('state').where('company', '=', company).forUpdate().execute();
      if (all.some(({ state }) => state === 'running')) return false;
      await deleteRows(trx, company);
      await note(trx);
      return true;
    });
    if (deleted) break;
    await endRuns({ database, jobs }, company);
  }
  // Gone they are: files that the store keeps for now belong to no row, and the night finds them.
  await storagePaths.store
    .removeBelow(storagePaths.company(company))
    .catch((error: unknown) => log.warn({ err: error, company }, 'files of examples are left'));
}

/** What was decided and sent for a real account stays provable: such a company is emptied by nobody. */
async function refuseRealTrade(trx: Trx, company: string): Promise<void> {
  const account = await exampleAccount(trx, company);
  if (account === undefined) throw notFound('Beispieldaten');
  const real = await trx
    .selectFrom('marketplace_accounts')
    .select('id')
    .where('company', '=', company)
    .where('id', '<>', account)
    .unionAll(
      trx
        .selectFrom('price_submissions')
        .select('account as id')
        .where('company', '=', company)
        .where('account', '<>', account),
    )
    .limit(1)
    .execute();
  if (real.length > 0)
    throw new KontorError(
      409,
      'own_account',
      'In dieser Firma gibt oder gab es ein eigenes Konto bei einem Marktplatz. Dessen Preise müssen nachvollziehbar bleiben, deshalb wurde nichts gelöscht. Legen Sie für den eigenen Betrieb eine neue Installation an.',
    );
}

async function endRuns({ database, jobs }: Pick<ExampleDeps, 'database' | 'jobs'>, company: string): Promise<void> {
  for (let waited = 0; waited <= PATIENCE_MS; waited += LOOK_MS) {
    const open = await database.company(company, (trx) =>
      trx
        .selectFrom('jobs')
        .select('id')
        .where('company', '=', company)
        .where('state', 'in', ['queued', 'running'])
        .execute(),
    );
    if (open.length === 0) return;
    if (waited === 0) for (const { id } of open) await jobs.cancel(company, id);
    await wait(LOOK_MS);
  }
  throw new KontorError(
    409,
    'still_running',
    'Ein Lauf ist noch nicht zu Ende. Es wurde nichts gelöscht. Bitte in einer Minute erneut versuchen.',
  );
}
