import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Database, Trx } from '#platform/db/database.ts';
import { KontorError, notFound } from '#platform/errors.ts';
import type { Store } from '#platform/storage/store.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { deleteRows } from './company-data.ts';

/** The job that fills the demo company: a company with its row contains examples. */
export const EXAMPLES_JOB = { kind: 'demo-story', subject: 'demo' } as const;

const Story = z.object({ account: z.string() });
/** How long a run may take to notice that it was cancelled, and how often that is checked. */
const PATIENCE_MS = 20_000;
const POLL_MS = 100;

export type ExampleDeps = {
  database: Database;
  jobs: Jobs;
  storagePaths: { company: (company: string) => string; store: Pick<Store, 'removeBelow'> };
  /** Stops the marketplace in this process that serves the example account. */
  stopDemoMarket: (company: string) => Promise<void>;
  log: Log;
};

/** Returns the marketplace account of the examples; undefined if the company has none. */
async function exampleAccount(trx: Trx, company: string): Promise<string | undefined> {
  const job = await trx
    .selectFrom('jobs')
    .select('payload')
    .where((eb) => eb.and({ company, ...EXAMPLES_JOB }))
    .limit(1)
    .executeTakeFirst();
  return job && Story.parse(JSON.parse(job.payload)).account;
}

/** Whether a company contains the examples of a first start. */
export const hasExamples = ({ database }: ExampleDeps, company: string): Promise<boolean> =>
  database.company(company, async (trx) => (await exampleAccount(trx, company)) !== undefined);

/**
 * Empties a company that a first start filled with examples: all its rows and files except members and API tokens, including what
 * users added. Runs are cancelled first.
 * @throws 404 without examples, 409 if prices were decided for a real account, or a run does not end
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
    // A run may have begun after the check; a job that is locked here cannot be taken by a worker.
    const deleted = await database.company(company, async (trx) => {
      await refuseRealTrade(trx, company);
      const all = await trx.selectFrom('jobs').select('state').where('company', '=', company).forUpdate().execute();
      if (all.some(({ state }) => state === 'running')) return false;
      // What a loop still stores of an account waits, and then finds none.
      await trx.selectFrom('marketplace_accounts').select('id').where('company', '=', company).forUpdate().execute();
      await deleteRows(trx, company);
      await note(trx);
      return true;
    });
    if (deleted) break;
    await endRuns({ database, jobs }, company);
  }
  // The rows are deleted: files that stay now belong to no row, and the nightly maintenance finds them.
  await storagePaths.store
    .removeBelow(storagePaths.company(company))
    .catch((error: unknown) => log.warn({ err: error, company }, 'files of example data could not be deleted'));
}

/** Refuses a company with a real account: decisions and sent prices must stay provable. @throws 404 without examples, 409 */
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
  for (let waited = 0; waited <= PATIENCE_MS; waited += POLL_MS) {
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
    await wait(POLL_MS);
  }
  throw new KontorError(
    409,
    'still_running',
    'Ein Lauf ist noch nicht zu Ende. Es wurde nichts gelöscht. Bitte in einer Minute erneut versuchen.',
  );
}
