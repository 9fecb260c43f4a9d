import type { FastifyInstance } from 'fastify';
import { loadMaster } from '#catalogue/masters.ts';
import { FailureLimiter } from '#platform/http/failure-limiter.ts';
import type { Clock } from '#platform/clock.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Egress } from '#platform/egress/egress.ts';
import { KontorError, unprocessable } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { marketplaces, type MarketplaceAccountSave } from '#shared/marketplace-accounts/schema.ts';
import type { Trial } from '#shared/notifications/schema.ts';
import { keepAccount, loadAccount, removeAccount, shownAccount } from './settings.ts';
import { listAccounts, type Account, type OpenConnector } from './accounts.ts';
import { MarketplaceError } from '#marketplaces/port.ts';

export type MarketplaceAccountDeps = {
  database: Database;
  vault: Vault;
  egress: Pick<Egress, 'requireAllowed'>;
  clock: Clock;
  ids: Ids;
  open: OpenConnector;
  /** The connector that accounts made by people get. */
  connector: string;
  /** Whatever else knows the account lets it go, in the same transaction. */
  forget: (trx: Trx, account: Account) => Promise<void>;
};

/** Accounts at marketplaces: who we are there and how we prove it; administrators only. */
export function marketplaceAccountRoutes(app: FastifyInstance, deps: MarketplaceAccountDeps): void {
  const { database, vault, ids } = deps;
  // A check connects to whatever it is told to: people need a few, scanners thousands.
  const trials = new FailureLimiter(deps.clock, 20, 60_000, 'Prüfungen');

  route(app, api.marketplaceAccounts, ({ principal }) =>
    database.company(principal.company, async (trx) => {
      const accounts = await listAccounts(trx, principal.company);
      return { accounts: await Promise.all(accounts.map((account) => shownAccount(trx, vault, account))) };
    }),
  );

  route(app, api.createMarketplaceAccount, async ({ principal, body }) => {
    await requireAddresses(deps, body);
    const { masterid, marketplace, ...sent } = body;
    const id = ids.id();
    const { company } = principal;
    const { currency } = marketplaces[marketplace];
    await database.company(company, async (trx) => {
      await loadMaster(trx, company, masterid);
      const blank = { name: '', sellerId: '', settings: '{}', active: false, connector: deps.connector };
      // A new account has no secrets yet, so its addresses are free.
      await keepAccount(trx, vault, { company, id, masterid, marketplace, currency, ...blank }, sent, ids.id());
    });
    return { id };
  });

  route(app, api.saveMarketplaceAccount, async ({ principal, params, body }) => {
    await requireAddresses(deps, body);
    await database.company(principal.company, async (trx) =>
      keepAccount(trx, vault, await loadAccount(trx, principal.company, params.id), body, ids.id()),
    );
    return { ok: true as const };
  });

  route(app, api.deleteMarketplaceAccount, async ({ principal, params }) => {
    await database.company(principal.company, async (trx) => {
      const account = await loadAccount(trx, principal.company, params.id);
      await deps.forget(trx, account);
      await removeAccount(trx, account);
    });
    return { ok: true as const };
  });

  route(app, api.testMarketplaceAccount, async ({ principal, params }) => {
    const account = await database.company(principal.company, (trx) => loadAccount(trx, principal.company, params.id));
    trials.check(principal.company);
    trials.fail(principal.company);
    return tryAccount(deps.open, account);
  });

  route(app, api.subscribeMarketplaceAccount, async ({ principal, params }) => {
    const account = await database.company(principal.company, (trx) => loadAccount(trx, principal.company, params.id));
    trials.check(principal.company);
    trials.fail(principal.company);
    return attempt(async () => {
      const mailbox = (await deps.open(account))?.messages;
      if (mailbox === undefined)
        throw new MarketplaceError('permanent', 'Für dieses Konto ist keine Warteschlange eingetragen.');
      await mailbox.subscribe();
    });
  });
}

async function attempt(work: () => Promise<void>): Promise<Trial> {
  try {
    await work();
    return { success: true, error: '' };
  } catch (error) {
    if (!(error instanceof MarketplaceError)) throw error;
    return { success: false, error: error.message };
  }
}

async function tryAccount(open: OpenConnector, account: Account): Promise<Trial> {
  const connector = await open(account);
  if (connector === undefined)
    return { success: false, error: 'Diesen Marktplatz kennt das Programm nicht (mehr), oder er läuft gerade nicht.' };
  return attempt(() => connector.testConnection());
}

/** Addresses that would never be reached are refused before they are kept (T1). */
async function requireAddresses({ egress }: MarketplaceAccountDeps, sent: MarketplaceAccountSave): Promise<void> {
  for (const field of ['apiUrl', 'tokenUrl', 'queueUrl'] as const) {
    if (sent[field] === '') continue;
    try {
      await egress.requireAllowed(sent[field]);
    } catch (error) {
      if (!(error instanceof KontorError)) throw error;
      throw unprocessable(error.code, `${error.message} Es wurde nichts gespeichert.`, [
        { field, message: error.message },
      ]);
    }
  }
}
