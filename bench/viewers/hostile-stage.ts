import { Readable } from 'node:stream';
import { createCompany } from '#auth/auth.ts';
import { systemClock } from '#platform/clock.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { processEnvironment } from '../../scripts/process-options.ts';
import { catalogueCsv } from '../../seed/catalogue.ts';
import { giveToken } from '../../test/stages/company-token.ts';
import { clientOf } from '../../test/stages/client.ts';
import { openTestDatabase } from '../../test/stages/kontor.ts';
import { kill, startProgram } from '../../test/stages/program.ts';
import { makeDashboardRows } from '../data/dashboard-rows.ts';
import { makeOrders } from '../data/order-rows.ts';
import type { HostilePlace } from './hostile-viewers.ts';

const SELLER = 'BENCH';
const ORDERS = 50_000;
export const benchEnvironment = { NODE_ENV: 'production', ...processEnvironment };

/** Returns the program's settings for PostgreSQL or the embedded database. */
export function programEnvironment(databaseUrl: string | undefined): Record<string, string> {
  return { ...benchEnvironment, ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) };
}

/**
 * Fills a data folder: a company with a catalogue, an export, repriced offers and orders, and a quiet one with the same number of
 * items and a token. `readers`: tokens of viewers of the first company. `databaseUrl`: an empty PostgreSQL database instead of
 * the embedded one.
 */
export async function prepareStage(
  folder: string,
  items: number,
  readers: readonly string[] = [],
  databaseUrl?: string,
): Promise<{ place: HostilePlace; quietToken: string }> {
  const [ownToken, quietToken] = [randomIds.secret(), randomIds.secret()];
  const database = await openTestDatabase(folder, databaseUrl);
  const companyWith = async (name: string, secret: string) => {
    const company = await createCompany(database, randomIds, systemClock, name);
    await giveToken(database, company, secret);
    return company;
  };
  const company = await companyWith('Feindliche Firma', ownToken);
  // A viewer's permissions, and those for orders.
  for (const secret of readers) await giveToken(database, company, secret, ['read', 'ship', 'orders']);
  await companyWith('Stille Firma', quietToken);
  await database.close();

  const program = await startProgram(folder, programEnvironment(databaseUrl));
  let csv = '';
  for await (const part of Readable.from(catalogueCsv(items))) csv += String(part);
  const catalogueOf = async (token: string) => {
    const client = clientOf(() => program.url, token);
    const { masterid } = await client.ask(api.createMaster, {}, { name: 'Artikel' });
    await client.ended(await client.upload(masterid, csv), 600);
    return { client, masterid };
  };
  const { client, masterid } = await catalogueOf(ownToken);
  const { id } = await client.ask(api.createExport, { masterid }, { name: 'Export', channel: 'google' });
  const account = { name: 'Bench', masterid, sellerId: SELLER, marketplace: 'A1PA6795UKMFR9' };
  const { id: accountid } = await client.ask(api.createMarketplaceAccount, {}, account);
  await catalogueOf(quietToken);
  await kill(program, 'SIGTERM');

  const filled = await openTestDatabase(folder, databaseUrl);
  const rows = { company, master: masterid, account: accountid, seller: SELLER, articles: items };
  await makeDashboardRows(filled, rows);
  await makeOrders(filled, company, ORDERS);
  await filled.close();
  const itemid = csv.split('\n')[1]?.split(';')[0]?.replaceAll('"', '') ?? '';
  return { place: { token: ownToken, masterid, itemid, id, seller: SELLER }, quietToken };
}
