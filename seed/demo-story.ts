import { z } from 'zod';
import { createExport, listExports } from '#catalogue/exports.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { importJob } from '#feed/import/job.ts';
import { EXAMPLES_JOB } from '#company/examples.ts';
import { exportSubject, importSubject } from '#feed/runs/runs.ts';
import { startExport } from '#feed/runs/start-runs.ts';
import type { ChannelOrder } from '#marketplaces/orders-port.ts';
import { takeOrders } from '#orders/intake/take-orders.ts';
import type { Clock } from '#platform/clock.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Database } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import { addJob, defineJob, jobRunner, type JobRunner } from '#platform/jobs/job-definition.ts';
import type { JobContext, JobEnd } from '#platform/jobs/job.ts';
import { demoItems, writeCatalogue } from './demo-file.ts';
import { ExportSettings } from '#shared/exports/schema.ts';
import { seedFigures } from './demo-figures.ts';
import { MARKET_NAME, MARKETPLACE, SELLER, SOLD } from './demo-market.ts';
import { marketOrders, shopOrders } from './demo-orders.ts';

/** Number of items that the supplier's second list lacks: more than the export may lose without a release. */
const MISSING = 850;
const BATCH = 100;
const SHOP_NAME = 'Onlineshop Nordkap';
/** How often a step checks whether the previous run has ended. */
const LOOK_SECONDS = 2;
const DAY_MS = 86_400_000;

const Story = z.object({ masterid: z.string(), feed: z.string(), shop: z.string(), account: z.string() });
type Story = z.infer<typeof Story> & { company: string };

/**
 * The past of the demo company: 90 days of orders and figures, a file for the channel, then a supplier's list that lost a fifth,
 * whose file waits for a release. Every step may be repeated after a kill.
 */
export const storyJob = defineJob({ kind: EXAMPLES_JOB.kind, payload: Story, pool: 'maintenance' });

type StoryDeps = { database: Database; storagePaths: StoragePaths; ids: Ids; clock: Clock; vault: Vault };

export const storyRunner = (deps: StoryDeps): JobRunner =>
  jobRunner(storyJob, async ({ company, payload, result }, context): Promise<JobEnd> => {
    const story = { ...payload, company };
    const step = z.coerce.number().catch(0).parse(result);
    const next = (to: number, seconds = 0): JobEnd => ({ state: 'again', seconds, result: to });
    switch (step) {
      case 0:
        await openShop(deps, story);
        await tellOrders(deps, story, context);
        await tellFigures(deps, story);
        return next(1);
      case 1:
        if (!(await ended(deps, company, importSubject(story.masterid)))) return next(1, LOOK_SECONDS);
        for (const id of [story.feed, story.shop]) await orderExport(deps, company, id);
        return next(2, LOOK_SECONDS);
      case 2:
        if (!(await ended(deps, company, exportSubject(story.feed)))) return next(2, LOOK_SECONDS);
        await importShorterList(deps, story);
        return next(3, LOOK_SECONDS);
      case 3:
        if (!(await ended(deps, company, importSubject(story.masterid)))) return next(3, LOOK_SECONDS);
        await orderExport(deps, company, story.feed);
        return { state: 'done', message: 'Die Beispiele stehen bereit.' };
      default:
        return { state: 'done' };
    }
  });

/** Creates the merchant's own shop: an export whose orders come by an API call. */
async function openShop({ database, ids }: StoryDeps, { company, masterid, shop }: Story): Promise<void> {
  await database.company(company, async (trx) => {
    const exports = await listExports(trx, company, masterid);
    if (exports.some(({ id }) => id === shop)) return;
    const settings = ExportSettings.parse({
      name: SHOP_NAME,
      channel: 'frei',
      format: { kind: 'csv' },
      filename: 'shop.csv',
    });
    await createExport(trx, { company, masterid, id: shop, feedToken: ids.secret(), settings, author: 'Demo' });
  });
}

async function tellOrders(deps: StoryDeps, { company, shop, account }: Story, { signal }: JobContext): Promise<void> {
  const now = deps.clock.now();
  const sources = [
    { channel: account, channelName: MARKET_NAME, source: 'marketplace', by: 'poll', all: marketOrders(now) },
    { channel: shop, channelName: SHOP_NAME, source: 'call', by: 'call', all: shopOrders(now) },
  ] as const;
  for (const { all, ...incoming } of sources)
    for (const orders of batches(all)) {
      signal.throwIfAborted();
      await deps.database.company(company, (trx) =>
        takeOrders(trx, deps, company, { ...incoming, author: 'Demo', orders }, now),
      );
    }
}

function* batches(all: Iterable<ChannelOrder>): Generator<ChannelOrder[]> {
  let batch: ChannelOrder[] = [];
  for (const order of all) {
    batch.push(order);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function tellFigures({ database, clock }: StoryDeps, { company, masterid }: Story): Promise<void> {
  const now = clock.now();
  await database.company(company, async (trx) => {
    // The running sandbox already reports offers: its figures are of this hour, those of the story are older.
    const told = await trx
      .selectFrom('rank_history')
      .select('hour')
      .where('company', '=', company)
      .where('hour', '<', new Date(now.getTime() - DAY_MS))
      .limit(1)
      .execute();
    const place = { company, masterid, marketplace: MARKETPLACE, seller: SELLER, offers: SOLD };
    if (told.length === 0) await seedFigures(trx, { ...place, now });
  });
}

/** Whether no job of the subject is waiting or running. */
const ended = ({ database }: StoryDeps, company: string, subject: string): Promise<boolean> =>
  database.company(company, async (trx) => {
    const running = await trx
      .selectFrom('jobs')
      .select('id')
      .where((eb) => eb.and({ company, subject }))
      .where('state', 'in', ['queued', 'running'])
      .execute();
    return running.length === 0;
  });

const orderExport = ({ database, ids }: StoryDeps, company: string, id: string): Promise<string> =>
  database.company(company, (trx) => startExport(trx, { ids }, { company, id }, { by: 'Demo' }));

async function importShorterList({ database, storagePaths, ids }: StoryDeps, { company, masterid }: Story) {
  const id = ids.id();
  await writeCatalogue(storagePaths, storagePaths.incoming(company, masterid, id), demoItems - MISSING);
  await database.company(company, (trx) =>
    addJob(trx, importJob, {
      company,
      id,
      subject: importSubject(masterid),
      payload: { owner: masterid, source: 'nordkap-artikel.csv', contentType: 'text/csv', options: {} },
    }),
  );
}
