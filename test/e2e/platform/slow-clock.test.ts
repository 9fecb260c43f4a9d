import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readNotification } from '#marketplaces/amazon/offer-messages.ts';
import { MarketplaceError, type Received } from '#marketplaces/port.ts';
import { listNotifications } from '#notifications/notifications.ts';
import { permissions } from '#shared/http/call.ts';
import { Receiver } from '#repricer/intake/receive.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';
import { makePriceWorld, type PriceWorld } from '../../stages/repricer/price-world.ts';

describe('a machine with a slow clock or after a sleep', () => {
  let world: PriceWorld;
  beforeAll(async () => {
    const csv = 'sku;von;bis;normal\nA-0;10,00;20,00;15,00';
    world = await makePriceWorld(csv, 1, [undercutting('Regel00001', 'Unterbieten', ['von', 'bis', 'normal'])]);
  });
  afterAll(() => world.close());

  /** Receives a message dated this many minutes from now; returns the titles of the notifications. */
  const receive = async (minutes: number) => {
    const at = new Date(world.clock.now().getTime() + minutes * 60_000);
    const snapshot = readNotification(world.message(0, { K1: 14 }, at));
    let waiting: Received[] = [
      { receipt: 'r', message: snapshot === undefined ? undefined : { about: 'offers', snapshot } },
    ];
    const messages = {
      receive: async () => waiting,
      acknowledge: async () => void (waiting = []),
      subscribe: async () => {},
    };
    const receiver = new Receiver({ ...world.deps, open: async () => ({ ...world.market.connector, messages }) });
    await receiver.turn();
    await expect.poll(() => waiting).toEqual([]);
    await receiver.close();
    const { notifications } = await world.inside((trx) =>
      listNotifications(trx, { company: world.company, permissions }, { offset: 0, limit: 9 }),
    );
    return notifications.map(({ title }) => title).filter((title) => title.startsWith('Verworfen'));
  };

  it('REP-19 marketplace messages dropped as being from the future are notified', async () => {
    expect(await receive(4)).toEqual([]);
    expect(await receive(6)).toEqual(['Verworfen: Mitteilungen des Marktplatzes für „Test“']);
    expect(await receive(7)).toHaveLength(1);
  });

  it('REP-19 a sleep of hours between two failures does not count as hours of failure; lasting failures are notified', async () => {
    let tries = 0;
    const fail = async (): Promise<Received[]> => {
      tries++;
      throw new MarketplaceError('retryable', 'Keine Verbindung.');
    };
    const messages = { receive: fail, acknowledge: async () => {}, subscribe: async () => {} };
    const receiver = new Receiver({ ...world.deps, open: async () => ({ ...world.market.connector, messages }) });
    const tryAfter = async (seconds: number) => {
      const before = tries;
      world.later(seconds);
      await expect
        .poll(async () => {
          await receiver.turn();
          return tries;
        })
        .toBe(before + 1);
      const { notifications } = await world.inside((trx) =>
        listNotifications(trx, { company: world.company, permissions }, { offset: 0, limit: 9 }),
      );
      return notifications.filter(({ title }) => title.startsWith('Fehlgeschlagen: Mitteilungen')).length;
    };
    expect([await tryAfter(0), await tryAfter(5 * 3600), await tryAfter(200)]).toEqual([0, 0, 0]);
    expect(await tryAfter(200)).toBe(1);
    await receiver.close();
  });
});
