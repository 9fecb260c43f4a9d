import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { receiverOf, storedTexts } from '#marketplaces/accounts/account-form.ts';
import { type Account, accountSecret } from '#marketplaces/accounts/accounts.ts';
import { Connectors } from '#marketplaces/connectors.ts';
import { saveSecret } from '#platform/crypto/credentials.ts';
import { Vault } from '#platform/crypto/vault.ts';
import { Egress } from '#platform/egress/egress.ts';
import { openTestDatabase } from '../../stages/kontor.ts';
import { tinyMarket } from '../../tiny-market/connector.ts';

const HOUR = 60 * 60 * 1000;

it('REP-19 the connector of an account that nothing uses any more, such as a deleted one, is let go', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-opened-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const database = await openTestDatabase(folder, undefined);
  onTestFinished(() => database.close());
  let at = Date.parse('2026-03-01T10:00:00Z');
  const vault = new Vault('g'.repeat(40));
  const deps = { database, vault, egress: new Egress({ allowLoopback: false }), clock: { now: () => new Date(at) } };
  const [{ id: marketplace, currency } = { id: '', currency: '' }] = tinyMarket.marketplaces;
  const settings = JSON.stringify({ address: 'https://markt.example' });
  const accountOf = async (id: string): Promise<Account> => {
    const receiver = receiverOf(tinyMarket, storedTexts(settings));
    await database.company('C1', (trx) =>
      saveSecret(trx, vault, { ...accountSecret('C1', id), receiver }, JSON.stringify({ key: 'Schluessel-4711' })),
    );
    const shown = { masterid: 'M1', connector: tinyMarket.id, name: id, active: true };
    return { company: 'C1', id, marketplace, currency, sellerId: 'S', settings, ...shown };
  };
  const [gone, used] = [await accountOf('Gone'), await accountOf('Used')];
  const connectors = new Connectors([tinyMarket]);
  const first = await connectors.open(deps, gone);
  const kept = await connectors.open(deps, used);
  expect([first, kept]).not.toContain(undefined);
  expect(await connectors.open(deps, gone)).toBe(first);
  for (let hours = 0; hours < 50; hours += 10) {
    at += 10 * HOUR;
    expect(await connectors.open(deps, used)).toBe(kept);
  }
  expect(await connectors.open(deps, gone)).not.toBe(first);
}, 20_000);
