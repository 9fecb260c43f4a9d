import type { FastifyInstance } from 'fastify';
import { holdMaster } from '#catalogue/masters.ts';
import { ConnectionChecks } from '#platform/http/limits/connection-checks.ts';
import type { Clock } from '#platform/clock.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Egress } from '#platform/egress/egress.ts';
import { KontorError, unprocessable } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import type { MarketplaceAccountSave } from '#shared/marketplace-accounts/schema.ts';
import type { Trial } from '#shared/notifications/schema.ts';
import type { ConnectorKind } from '#marketplaces/connector-kind.ts';
import type { Connectors } from '#marketplaces/connectors.ts';
import { describeConnector, formFields, readForm, wrongFields } from './account-form.ts';
import { saveAccountForm, holdAccount, loadAccount, removeAccount, shownAccount } from './settings.ts';
import { listAccounts, type Account, type OpenConnector } from './accounts.ts';
import { MarketplaceError } from '#marketplaces/port.ts';

export type MarketplaceAccountDeps = {
  database: Database;
  vault: Vault;
  egress: Pick<Egress, 'requireAllowed'>;
  clock: Clock;
  ids: Ids;
  open: OpenConnector;
  connectors: Pick<Connectors, 'kinds' | 'kind' | 'forMarketplace'>;
  /** Removes what other parts of the program store about the account, in the same transaction. */
  forget: (trx: Trx, account: Account) => Promise<void>;
  /** Make due at once what other parts of the program want to send to an active account, or to read from it. */
  onAccountSaved: readonly ((trx: Trx, account: Account, now: Date) => Promise<void>)[];
  /**
   * Whether the company does not yet require a second factor of all its users; without that no orders may be imported. Runs in an
   * accounts transaction, and the answer stays valid until that transaction ends.
   */
  factorMissing: (trx: Trx, company: string) => Promise<boolean>;
  /** Number of open orders, by account. */
  openOrders: (trx: Trx, company: string, accounts: readonly string[]) => Promise<ReadonlyMap<string, number>>;
};

/** Calls on marketplace accounts and their credentials; administrators only. */
export function marketplaceAccountRoutes(app: FastifyInstance, deps: MarketplaceAccountDeps): void {
  const { database, vault, ids, connectors } = deps;
  trialRoutes(app, deps);

  readRoutes(app, deps);

  route(app, api.createMarketplaceAccount, async ({ principal, body, audit }) => {
    const { masterid, marketplace, ...sent } = body;
    const match = connectors.forMarketplace(marketplace);
    if (match === undefined)
      throw unprocessable(
        'no_marketplace',
        'Diesen Marktplatz kennt das Programm nicht. Es wurde nichts gespeichert.',
        [{ field: 'marketplace', message: 'Unbekannter Marktplatz' }],
      );
    const { kind, currency } = match;
    await requireAddresses(deps, kind, sent);
    const id = ids.id();
    const { company } = principal;
    await keeping(deps, company, sent, async (trx) => {
      await holdMaster(trx, company, masterid);
      if (sent.active) await requireFactor(deps, trx, kind, company);
      const blank = { name: '', sellerId: '', settings: '{}', active: false, connector: kind.id };
      // A new account has no secrets yet, so its addresses are free.
      const account = { company, id, masterid, marketplace, currency, ...blank };
      await saveAccountForm(trx, vault, { kind, account, stamp: ids.id() }, sent);
      await audit.within(trx);
    });
    return { id };
  });

  route(app, api.saveMarketplaceAccount, async ({ principal, params, body, audit }) => {
    const account = await database.company(principal.company, (trx) => loadAccount(trx, principal.company, params.id));
    const kind = connectors.kind(account.connector);
    await requireAddresses(deps, kind, body);
    await keeping(deps, principal.company, body, async (trx) => {
      const stored = await holdAccount(trx, principal.company, params.id);
      // An account that was active before a second factor was required stays active, and its keys can be replaced.
      if (body.active && !stored.active) await requireFactor(deps, trx, kind, principal.company);
      await saveAccountForm(trx, vault, { kind, account: stored, stamp: ids.id() }, body);
      // After a refused access everything waits, and a user who has mended it would think that nothing happens.
      if (body.active) for (const resume of deps.onAccountSaved) await resume(trx, stored, deps.clock.now());
      await audit.within(trx);
    });
    return { ok: true as const };
  });

  route(app, api.deleteMarketplaceAccount, async ({ principal, params, audit }) => {
    await database.company(principal.company, async (trx) => {
      const account = await holdAccount(trx, principal.company, params.id);
      await deps.forget(trx, account);
      await removeAccount(trx, account);
      await audit.within(trx);
    });
    return { ok: true as const };
  });
}

/** Runs work on an account in a transaction. Activating one also reads which factors the company requires of users. */
const keeping = (
  { database }: MarketplaceAccountDeps,
  company: string,
  { active }: Pick<MarketplaceAccountSave, 'active'>,
  work: (trx: Trx) => Promise<void>,
): Promise<void> => (active ? database.accounts(company, work) : database.company(company, work));

/** Calls that list kinds of connector, and accounts without their secrets. */
function readRoutes(app: FastifyInstance, deps: MarketplaceAccountDeps): void {
  const { database, vault, connectors } = deps;
  route(app, api.marketplaceConnectors, async () => ({ connectors: connectors.kinds.map(describeConnector) }));

  route(app, api.marketplaceAccounts, async ({ principal }) => {
    const loaded = await database.company(principal.company, async (trx) => {
      const accounts = await listAccounts(trx, principal.company);
      const open = await deps.openOrders(
        trx,
        principal.company,
        accounts.map(({ id }) => id),
      );
      return Promise.all(
        accounts.map(async (account) => ({
          account,
          openOrders: open.get(account.id) ?? 0,
          shown: await shownAccount(trx, vault, connectors.kind(account.connector), account),
        })),
      );
    });
    const accounts = loaded.map(async ({ account, openOrders, shown }) => ({
      ...shown,
      openOrders,
      mailbox: (await deps.open(account))?.messages !== undefined,
    }));
    return { accounts: await Promise.all(accounts) };
  });
}

/** Calls that connect to the marketplace. */
function trialRoutes(app: FastifyInstance, deps: MarketplaceAccountDeps): void {
  const { database } = deps;
  const trials = new ConnectionChecks(deps, 'Prüfungen');

  route(app, api.testMarketplaceAccount, async ({ principal, params }) => {
    const account = await database.company(principal.company, (trx) => loadAccount(trx, principal.company, params.id));
    await trials.take(principal.company);
    return tryAccount(deps.open, account);
  });

  route(app, api.subscribeMarketplaceAccount, async ({ principal, params }) => {
    const account = await database.company(principal.company, (trx) => loadAccount(trx, principal.company, params.id));
    await trials.take(principal.company);
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

/**
 * Amazon's data protection policy: users who can see a marketplace's orders sign in with two factors. Orders of a demo are made
 * up.
 */
async function requireFactor(
  { factorMissing }: MarketplaceAccountDeps,
  trx: Trx,
  kind: ConnectorKind | undefined,
  company: string,
): Promise<void> {
  if (kind?.demo !== undefined || !(await factorMissing(trx, company))) return;
  throw unprocessable(
    'second_factor_needed',
    'Über ein aktives Verkäuferkonto kommen Bestellungen mit Kundendaten. Amazon verlangt, dass alle, die sie sehen können, sich mit einem zweiten Faktor anmelden. Der Inhaber muss zuerst unter „Einstellungen“, „Anmeldung“ den zweiten Faktor als erforderlich einschalten. Pausiert können Sie das Konto schon jetzt speichern.',
    [{ field: 'active', message: 'Erst mit erforderlichem zweiten Faktor' }],
  );
}

/** Refuses addresses that Kontor would never connect to, before they are saved (T1). */
async function requireAddresses(
  { egress }: MarketplaceAccountDeps,
  kind: ConnectorKind | undefined,
  { settings }: Pick<MarketplaceAccountSave, 'settings'>,
): Promise<void> {
  if (kind === undefined) return;
  const read = readForm(kind, settings);
  for (const { id } of formFields(kind).filter(({ address }) => address === true)) {
    const address = read[id] ?? '';
    if (address === '') continue;
    try {
      await egress.requireAllowed(address);
    } catch (error) {
      if (!(error instanceof KontorError)) throw error;
      throw wrongFields(error.code, error.message, [{ id, message: error.message }]);
    }
  }
}
