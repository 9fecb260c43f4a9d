import { createCompany, createUser } from '#auth/auth.ts';
import { systemClock } from '#platform/clock.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giveToken } from './company-token.ts';
import { masterWith, openTestDatabase, testDatabaseUrl, testKontor, type TestKontor } from './kontor.ts';

export const otherToken = 'token-of-another-company-0123';
export const otherOwner = { name: 'Fremd', email: 'fremd@beispiel.de', password: 'lampe-wolke-trecker', role: 'owner' };

/** Starts Kontor on data that already contain a second company with a token of its own. */
export async function twoCompanies(): Promise<TestKontor> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'kontor-tenants-'));
  const databaseUrl = await testDatabaseUrl();
  const database = await openTestDatabase(dataFolder, databaseUrl);
  const other = await createCompany(database, randomIds, systemClock, 'Andere Firma');
  await giveToken(database, other, otherToken);
  await createUser(database, randomIds, systemClock, { ...otherOwner, company: other });
  await database.close();
  return testKontor({}, { dataFolder, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
}

/** Creates one of each thing that a call names by an id; returns the ids by the name of the parameter. */
export async function ownThings(kontor: TestKontor): Promise<Record<string, string>> {
  const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer');
  const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Export' } });
  const [run] = await kontor.ask(api.masterRuns, { params: { masterid } });
  const account = { name: 'Konto', sellerId: 'X', masterid, marketplace: 'A1PA6795UKMFR9' as const };
  const { id: accountid } = await kontor.ask(api.createMarketplaceAccount, { body: account });
  const line = { productid: 'P-1', sku: 'A-1', ordered: 2, unit_cents: 100 };
  const order = {
    orderid: 'O-1',
    placed_at: '2026-01-01T10:00:00Z',
    lines: [line],
    persons: { buyer: { name: 'Kanari' } },
  };
  await kontor.ask(api.createOrders, { body: { channel: id, orders: [order] } });
  const { action } = await kontor.ask(api.fulfillItem, {
    params: { orderid: 'O-1', productid: 'P-1' },
    body: { quantity: 1, carrier: 'DHL', tracking: '1' },
  });
  const { id: view } = await kontor.ask(api.createView, {
    body: { table: 'items', masterid, name: 'Geteilt', query: 'suche=x', shared: true },
  });
  const { id: tokenid } = await kontor.ask(api.createToken, { body: { name: 'Unserer', role: 'viewer' } });
  await kontor.ask(api.invite, { body: { email: 'gast@beispiel.de', role: 'viewer' } });
  const [invitation] = await kontor.ask(api.invitations);
  const [member] = await kontor.ask(api.members);
  const people = { tokenid, invitation: invitation?.id ?? '', member: member?.id ?? '' };
  const { id: uploadid } = await kontor.ask(api.beginImportUpload, {
    params: { masterid },
    body: { name: 'a.csv', size: 10 },
  });
  return { uploadid, masterid, exportid: id, runid: run?.runid ?? '', accountid, action, view, ...people };
}
