import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccount, saveAccount } from '#marketplaces/accounts/accounts.ts';
import { SideBySide } from '#marketplaces/accounts/side-by-side.ts';
import { MarketplaceError } from '#marketplaces/port.ts';
import { listNotifications } from '#notifications/notifications.ts';
import { permissions } from '#shared/http/call.ts';
import { pollOffers, PollingPlans } from '#repricer/intake/offer-polling.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';
import { makePriceWorld, type PriceWorld } from '../../stages/repricer/price-world.ts';

describe('an account whose credentials the marketplace refuses', () => {
  let world: PriceWorld;
  beforeAll(async () => {
    const csv = 'sku;von;bis;normal\nA-0;10,00;20,00;15,00\nA-1;10,00;20,00;15,00';
    world = await makePriceWorld(csv, 2, [undercutting('Regel00001', 'Unterbieten', ['von', 'bis', 'normal'])]);
  });
  afterAll(() => world.close());

  const told = async () => {
    const { notifications } = await world.inside((trx) =>
      listNotifications(trx, { company: world.company, permissions }, { offset: 0, limit: 9 }),
    );
    return notifications.filter(({ title }) => title.includes('Preise von')).map(({ text }) => text);
  };

  it('REP-19 a daily notification says that its prices are not sent', async () => {
    for (const sku of ['S0', 'S1']) world.market.moods.set(sku, 'locked');
    await world.undercut(0);
    await world.undercut(1);
    expect(await told()).toEqual([
      expect.stringMatching(/^Zugang abgelehnt Kontor kann .* bleiben Preise, wie sie sind/),
    ]);
    world.later(24 * 60 * 60);
    await world.undercut(0);
    expect(await told()).toHaveLength(2);
  });

  it('REP-19 refused offer queries are notified as well, temporary failures are not', async () => {
    const before = (await told()).length;
    const failing = (kind: 'auth' | 'retryable') => ({
      ...world.deps,
      plans: new PollingPlans(),
      open: async () => ({
        ...world.market.connector,
        offers: () => Promise.reject(new MarketplaceError(kind, 'Keine Rolle.')),
      }),
    });
    world.later(2 * 24 * 60 * 60);
    await pollOffers(failing('retryable'));
    expect(await told()).toHaveLength(before);
    world.later(60 * 60);
    await pollOffers(failing('auth'));
    expect(await told()).toHaveLength(before + 1);
  });

  it('REP-03 after too many offer queries the same poll makes none of its further ones', async () => {
    let asked = 0;
    const { connector } = world.market;
    const throttling = {
      ...world.deps,
      plans: new PollingPlans(),
      open: async () => ({
        ...connector,
        capabilities: () => ({
          ...connector.capabilities(),
          batch: { ...connector.capabilities().batch, offers: 1 },
        }),
        offers: async () => {
          asked += 1;
          throw new MarketplaceError('retryable', 'Zu viele Anfragen.', { delayMs: 120_000 });
        },
      }),
    };
    world.later(60 * 60);
    await pollOffers(throttling);
    expect(asked).toBe(1);
  });

  it('REP-03 after too many offer queries the next one waits as long as the marketplace says, then asks for the same articles', async () => {
    const asked: string[][] = [];
    let limited = true;
    const throttling = {
      ...world.deps,
      plans: new PollingPlans(),
      open: async () => ({
        ...world.market.connector,
        offers: async (articles: readonly { sku: string }[]) => {
          asked.push(articles.map(({ sku }) => sku).toSorted());
          if (limited) throw new MarketplaceError('retryable', 'Zu viele Anfragen.', { delayMs: 120_000 });
          return [];
        },
      }),
    };
    world.later(60 * 60);
    await pollOffers(throttling);
    limited = false;
    world.later(100);
    await pollOffers(throttling);
    expect(asked).toEqual([['S0', 'S1']]);
    world.later(30);
    await pollOffers(throttling);
    expect(asked).toEqual([
      ['S0', 'S1'],
      ['S0', 'S1'],
    ]);
  });

  it('F13 an account whose marketplace does not answer delays the offers of no other', async () => {
    const account = await world.inside((trx) => findAccount(trx, world.company, 'konto'));
    if (account === undefined) throw new Error('no account');
    await world.inside((trx) => saveAccount(trx, { ...account, id: 'andere' }));
    const answer = Promise.withResolvers<undefined>();
    const asked: string[] = [];
    const connector = {
      ...world.market.connector,
      offers: async (articles: readonly { sku: string }[]) => {
        asked.push(...articles.map(({ sku }) => sku));
        return [];
      },
    };
    const deps = {
      ...world.deps,
      plans: new PollingPlans(),
      open: ({ id }: { id: string }) => (id === 'andere' ? answer.promise : Promise.resolve(connector)),
    };
    world.later(60 * 60);
    const turns = new SideBySide(1000);
    await pollOffers(deps, turns);
    expect(asked.toSorted()).toEqual(['S0', 'S1']);
    expect(turns.served).toEqual([`${world.company}/andere`]);
    answer.resolve(undefined);
  });
});
