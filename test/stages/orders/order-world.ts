import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAccount, saveAccount } from '#marketplaces/accounts/accounts.ts';
import { TokenBuckets } from '#platform/token-buckets.ts';
import type { OrderPort } from '#marketplaces/orders-port.ts';
import { readBackDue, sendDue } from '#orders/actions/outbox.ts';
import { requestAction, type WantedAction } from '#orders/actions/request-action.ts';
import { fetchHinted } from '#orders/intake/fetch-hinted.ts';
import { addHint } from '#orders/intake/hints.ts';
import { pollOrders } from '#orders/intake/poll-orders.ts';
import { personPlace } from '#orders/persons/save-persons.ts';
import { orderDetails } from '#orders/list/order-details.ts';
import { Vault } from '#platform/crypto/vault.ts';
import type { Trx } from '#platform/db/database.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { startAmazonMarket } from '../marketplaces/amazon-market.ts';
import { openTestDatabase, testDatabaseUrl, testKontor } from '../kontor.ts';
import { refuseStrayed, strayedFiles, strayedRows, watchedLog } from './person-watch.ts';

export type OrderWorld = Awaited<ReturnType<typeof makeOrderWorld>>;

/**
 * Creates a company with one account at the sandbox, and everything that works on its orders, step by step and by the sandbox's
 * clock.
 */
export async function makeOrderWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-orders-'));
  const databaseUrl = await testDatabaseUrl();
  const kontor = await testKontor({}, { dataFolder: folder, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
  const company = (await kontor.ask(api.session, {})).company.id;
  await kontor.close();
  const database = await openTestDatabase(folder, databaseUrl);
  const market = await startAmazonMarket();
  const { orders: stage, connector } = market;
  const port: OrderPort | undefined = connector.orders;
  if (port === undefined) throw new Error('no orders');
  const inside = <T>(work: (trx: Trx) => Promise<T>) => database.company(company, work);
  const { marketplace, clock } = market;
  await inside((trx) =>
    saveAccount(trx, {
      company,
      id: 'konto',
      masterid: 'm',
      connector: 'test',
      marketplace,
      sellerId: 'WIR',
      currency: 'EUR',
      name: 'Sandbox',
      settings: '{}',
      active: true,
    }),
  );
  const account = await inside((trx) => findAccount(trx, company, 'konto'));
  if (account === undefined) throw new Error('no account');
  const vault = new Vault('test');
  const { log, strayed } = watchedLog();
  const deps = {
    database,
    clock,
    ids: randomIds,
    vault,
    buckets: new TokenBuckets(database),
    ownProcess: { takes: () => true },
    log,
    open: async () => connector,
  };
  const read = async (order: string) => {
    await inside((trx) => addHint(trx, company, account.id, order, clock.now()));
    market.pass(60);
    await fetchHinted(deps, account, port);
  };
  return {
    ...market,
    company,
    database,
    deps,
    inside,
    port,
    account,
    stage,
    read,
    /** Buys three pieces of an article, and reads the order. */
    bought: async (lines: readonly { sku: string; quantity: number; id?: string }[] = [{ sku: 'S1', quantity: 3 }]) => {
      const made = stage.buy(lines);
      await read(made.order);
      return { ...made, line: made.lines[0] ?? '' };
    },
    ask: (order: string, wanted: WantedAction) =>
      inside((trx) =>
        requestAction(
          trx,
          randomIds,
          {
            company,
            channel: account.id,
            order,
            author: 'Test',
            formKey: undefined,
            support: port.support,
            remote: true,
            now: clock.now(),
          },
          wanted,
        ),
      ),
    send: () => sendDue(deps),
    readBack: () => readBackDue(deps),
    poll: () => pollOrders(deps, account, port),
    details: (order: string) =>
      inside(async (trx) => {
        const row = await trx
          .selectFrom('orders')
          .selectAll()
          .where((eb) => eb.and({ company, order_id: order }))
          .executeTakeFirstOrThrow();
        return orderDetails(trx, row, { name: 'Sandbox', marketplace, support: port.support });
      }),
    close: async () => {
      await market.close();
      let found: string[] = [];
      try {
        found = await strayedRows(database, ({ company: of, role, sealed, ...row }) =>
          vault.open(of, personPlace(row, role), sealed),
        );
      } finally {
        await database.close();
      }
      found.push(...strayed(), ...strayedFiles(folder));
      await rm(folder, { recursive: true, force: true });
      refuseStrayed(found);
    },
  };
}
