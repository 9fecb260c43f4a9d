import { setTimeout as wait } from 'node:timers/promises';
import { createCompany } from '#auth/auth.ts';
import { startSandbox, type Sandbox } from '#marketplaces/sandbox/sandbox.ts';
import { systemClock } from '#platform/clock.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { catalogueCsv } from '../../seed/catalogue.ts';
import { seeded } from '../../seed/random.ts';
import { giveToken } from '../../test/stages/company-token.ts';
import { type Client, clientOf } from '../../test/stages/client.ts';
import { openTestDatabase } from '../../test/stages/kontor.ts';
import { Merchant } from '../../test/stages/orders/order-merchant.ts';
import { credentials, csvOf, place, sell, soldItems } from '../../test/stages/repricer/price-chaos.ts';
import { benchToken } from '../kontor-process.ts';
import type { Stage, StageData } from './stage.ts';

/** One company of the long run, and the changes that were acknowledged to it. */
export type Firm = {
  name: string;
  client: Client;
  masterid: string;
  exportid: string;
  pullPath: string;
  sales: Sales | undefined;
};
export type Sales = { company: string; masterid: string; sandbox: Sandbox; merchant: Merchant };

/** The two versions of every catalogue, by number of items: a feed is complete if it has either number. */
export const SIZES = [2000, 2100] as const;
export const catalogues = SIZES.map((items, index) => [...catalogueCsv(items, index + 1)].join(''));
export const SOLD = 400;
const SELLERS = 3;

/**
 * Creates companies in a database before the program starts; the first one is created by the program itself. Returns their
 * tokens.
 */
export async function makeCompanies(stage: StageData, count: number): Promise<string[]> {
  const tokens = [benchToken];
  const database = await openTestDatabase(stage.folder, stage.databaseUrl);
  while (tokens.length < count) {
    const secret = randomIds.secret();
    const company = await createCompany(database, randomIds, systemClock, `Firma ${tokens.length + 1}`);
    await giveToken(database, company, secret);
    tokens.push(secret);
  }
  await database.close();
  return tokens;
}

/** Creates a catalogue with its export in every company; the first companies also sell at a sandbox of their own. */
export async function makeFirms(
  stage: Stage,
  tokens: readonly string[],
  { sellers = SELLERS }: { sellers?: number } = {},
): Promise<Firm[]> {
  const firms: Firm[] = [];
  for (const [index, token] of tokens.entries()) {
    const client = patient(
      clientOf(() => stage.url, token),
      stage,
    );
    const { masterid } = await client.ask(api.createMaster, {}, { name: 'Katalog' });
    await ended(client, await client.upload(masterid, catalogues[0] ?? ''));
    const { id: exportid } = await client.ask(
      api.createExport,
      { masterid },
      { name: 'Export', format: { kind: 'jsonl' } },
    );
    await ended(client, (await client.ask(api.runExport, { id: exportid })).runid);
    const { pullPath } = await client.ask(api.export, { id: exportid });
    const sales = index < sellers ? await makeSales(client, index) : undefined;
    firms.push({ name: `Firma ${index + 1}`, client, masterid, exportid, pullPath, sales });
  }
  return firms;
}

/** Number of answers that the program is too busy (503), which mean that nothing was saved. */
export const busyAnswers = { count: 0 };

/**
 * Returns a client that retries for a minute if the program is too busy, as our pages offer it. Failures during a disturbance are
 * thrown.
 */
function patient(client: Client, stage: Stage): Client {
  return {
    ...client,
    ask: async (...asked) => {
      const [broken, until] = [stage.watch(), performance.now() + 60_000];
      for (;;) {
        try {
          return await client.ask(...asked);
        } catch (error) {
          // If it is unknown how far a call came, it may only be repeated if it changes nothing.
          const busy = String(error).includes(' -> 503 ');
          const again = asked[0].method === 'GET' ? busy || broken() : busy && !broken();
          if (!again || performance.now() > until) throw error;
          if (busy) busyAnswers.count++;
          await wait(1000);
        }
      }
    },
  };
}

async function makeSales(client: Client, index: number): Promise<Sales> {
  const { masterid } = await client.ask(api.createMaster, {}, { name: 'Verkauf' });
  await ended(client, await client.upload(masterid, csvOf(SOLD, 0.001)));
  const chance = seeded(index + 1);
  const sandbox = await startSandbox({
    place,
    credentials,
    clock: systemClock,
    chance,
    items: soldItems(SOLD),
    // A little of what could make a program send twice: calls without an answer.
    faults: { cutBefore: 0.02, cutAfter: 0.02, error503: 0.02, doubled: 0.02 },
    movesPerSecond: 0.5,
    everyMs: 500,
    deliver: async (messages) => {
      await client.ask(api.takeOffers, { masterid }, messages);
    },
  });
  const channel = await sell(client, sandbox, masterid, SOLD);
  const company = (await client.ask(api.session)).company.id;
  return { company, masterid, sandbox, merchant: new Merchant(client, channel, chance) };
}

async function ended(client: Client, runid: string): Promise<void> {
  const run = await client.ended(runid, 300);
  if (run.state !== 'done') throw new Error(`${run.kind} -> ${run.state}: ${run.message ?? ''}`);
}
