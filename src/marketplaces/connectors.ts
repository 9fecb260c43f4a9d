import type { Database } from '#platform/db/database.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import { readSecret } from '#platform/crypto/credentials.ts';
import { receiverOf, storedTexts } from './accounts/account-form.ts';
import { accountSecret, type Account } from './accounts/accounts.ts';
import type { ConnectorDeps, ConnectorKind } from './connector-kind.ts';
import { type Metrics, noMetrics } from '#platform/telemetry/metrics.ts';
import { noTraces, type Traces } from '#platform/telemetry/spans.ts';
import { measuredConnectors } from './measured-connector.ts';
import type { Connector, MarketplaceMessage } from './port.ts';

type OpenDeps = ConnectorDeps & { database: Database; vault: Vault };

/** After this time without use a connector is let go: its account may be deleted, which other processes are not told. */
const UNUSED_MS = 24 * 60 * 60_000;

type Opened = { readonly stamp: string; readonly connector: Connector; used: number };

/** The kinds of connector that the program was started with, and the opened connectors of accounts. */
export class Connectors {
  readonly kinds: readonly ConnectorKind[];
  private readonly measured: ReturnType<typeof measuredConnectors>;
  private readonly opened = new Map<string, Opened>();

  /** @throws Error if two kinds share an id, or if users could create accounts of two kinds in one marketplace */
  constructor(kinds: readonly ConnectorKind[], metrics: Metrics = noMetrics, traces: Traces = noTraces) {
    this.measured = measuredConnectors(metrics, traces);
    this.kinds = kinds;
    const people = kinds.filter(({ demo }) => demo === undefined);
    for (const ids of [kinds.map(({ id }) => id), people.flatMap((kind) => kind.marketplaces.map(({ id }) => id))])
      if (new Set(ids).size < ids.length) throw new Error(`listed twice: ${ids.join(', ')}`);
  }

  /** Returns the kind of an account; undefined: the program has none of this name (any more). */
  kind(id: string): ConnectorKind | undefined {
    return this.kinds.find((kind) => kind.id === id);
  }

  /** Returns the kind with which users create accounts in a marketplace; undefined: no connector covers it. */
  forMarketplace(id: string): { kind: ConnectorKind; currency: string } | undefined {
    for (const kind of this.kinds) {
      const marketplace = kind.demo === undefined ? kind.marketplaces.find((one) => one.id === id) : undefined;
      if (marketplace !== undefined) return { kind, currency: marketplace.currency };
    }
    return undefined;
  }

  /** Returns a marketplace's display name; its id where no connector knows it. */
  marketplaceName(id: string): string {
    return this.kinds.flatMap(({ marketplaces }) => marketplaces).find((one) => one.id === id)?.name ?? id;
  }

  /** Parses a message with the first connector that recognises it. */
  readMessage(raw: unknown): MarketplaceMessage | undefined {
    for (const { readMessage } of this.kinds) {
      const message = readMessage(raw);
      if (message !== undefined) return message;
    }
    return undefined;
  }

  /**
   * Returns the connector of an account, cached while the account is used and stays unchanged: it holds a token and knows the
   * limits it was granted. Changing an account's secrets also changes its settings (their stamp), so that no outdated connector
   * stays.
   */
  async open(deps: OpenDeps, account: Account): Promise<Connector | undefined> {
    const { company, id, settings, marketplace, sellerId, currency } = account;
    const key = `${company}/${id}`;
    const stamp = JSON.stringify([account.connector, settings, marketplace, sellerId, currency]);
    const now = deps.clock.now().getTime();
    for (const [other, { used }] of this.opened) if (now - used > UNUSED_MS) this.opened.delete(other);
    const known = this.opened.get(key);
    if (known?.stamp === stamp) {
      known.used = now;
      return known.connector;
    }
    const kind = this.kind(account.connector);
    if (kind === undefined) return undefined;
    const secrets = await deps.database.company(company, (trx) =>
      readSecret(trx, deps.vault, accountSecret(company, id), { receiver: receiverOf(kind, storedTexts(settings)) }),
    );
    const texts = { settings: JSON.parse(settings) as unknown, secrets: JSON.parse(secrets ?? '{}') as unknown };
    const connected = kind.connect(deps, { company, marketplace, sellerId, currency, ...texts });
    if (connected === undefined) return undefined;
    const connector = this.measured(kind.id, connected);
    this.opened.set(key, { stamp, connector, used: now });
    return connector;
  }
}
