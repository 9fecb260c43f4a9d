import type { FastifyInstance } from 'fastify';
import { accountSubject } from '#marketplaces/accounts/update.ts';
import { listAccounts, ownOffers } from '#marketplaces/accounts/accounts.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { notFound } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import { api } from '#shared/http/api.ts';
import type { MarketplaceChannel } from '#shared/marketplace-accounts/schema.ts';
import { lastRun } from '#feed/runs/runs.ts';

/** Routes for accounts at marketplaces, which are channels in addition to the exports. */
export function accountChannelRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  route(app, api.marketplaceChannels, ({ principal }) =>
    database.company(principal.company, async (trx) => ({ channels: await channelsOf(trx, principal.company) })),
  );
  route(app, api.marketplaceChannel, ({ principal, params }) =>
    database.company(principal.company, async (trx) => {
      const channel = (await channelsOf(trx, principal.company)).find(({ id }) => id === params.id);
      if (channel === undefined) throw notFound('Dieses Konto beim Marktplatz');
      return channel;
    }),
  );
}

async function channelsOf(trx: Trx, company: string): Promise<MarketplaceChannel[]> {
  const offers = await ownOffers(trx, company);
  const channels: MarketplaceChannel[] = [];
  for (const account of await listAccounts(trx, company)) {
    const { id, masterid, name, marketplace, connector, sellerId, active } = account;
    const counts = { offers: offers.get(id) ?? 0, lastRun: await lastRun(trx, company, accountSubject(id)) };
    channels.push({ id, masterid, name, marketplace, connector, sellerId, active, ...counts });
  }
  return channels;
}
