import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { ruleSentence } from '#shared/rules/sentences.ts';
import type { Found } from '#shared/search/schema.ts';
import { listExports } from '#catalogue/exports.ts';
import { findItems } from '#catalogue/find-items.ts';
import { listMasters } from '#catalogue/masters.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { liveSnapshot, type SnapshotRecord } from '#catalogue/snapshots.ts';
import { listAccounts } from '#marketplaces/accounts/accounts.ts';
import type { Connectors } from '#marketplaces/connectors.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { route } from '#platform/http/server.ts';
import { loadRules } from '#feed/stages/rules/store.ts';

type MarketplaceNames = Pick<Connectors, 'marketplaceName'>;
export type SearchDeps = {
  database: Database;
  duckdb: DuckDb;
  storagePaths: StoragePaths;
  connectors: MarketplaceNames;
};

/** The most results of one kind; more would hide the other kinds. */
const EACH = 6;
/** The most catalogues whose items are searched, newest first. */
const CATALOGUES = 5;

type Kinds = { master: Found[]; export: Found[]; account: Found[]; rule: Found[] };

/** The command palette's results besides screens: catalogues, exports, accounts, rules and items by name or number. */
export function searchRoutes(app: FastifyInstance, { database, duckdb, storagePaths, connectors }: SearchDeps): void {
  route(app, api.search, async ({ principal, query, signal }) => {
    const { kinds, snapshots } = await database.company(principal.company, (trx) =>
      namedThings(trx, principal.company, connectors),
    );
    const wanted = query.q.toLowerCase();
    const named = [kinds.master, kinds.export, kinds.account, kinds.rule].flatMap((list) => bestOf(list, wanted));
    const items: { found: Found; exact: boolean }[] = [];
    for (const { snapshot, name } of snapshots) {
      const path = storagePaths.snapshot(principal.company, snapshot.masterid, snapshot.number);
      const itemsQuery = findItems({ path, snapshot }, query.q, EACH);
      for (const { id, title, exact } of itemsQuery.read(await duckdb.all(itemsQuery.statement, signal))) {
        const detail = `${id} · ${name}`;
        items.push({
          found: { kind: 'item', masterid: snapshot.masterid, itemid: id, name: title ?? id, detail },
          exact,
        });
      }
    }
    // A user who types a complete item number means that item, whichever catalogue has it.
    const sorted = items.toSorted((one, other) => Number(other.exact) - Number(one.exact));
    return { found: [...named, ...sorted.slice(0, EACH).map(({ found }) => found)] };
  });
}

async function namedThings(trx: Trx, company: string, connectors: MarketplaceNames) {
  const kinds: Kinds = { master: [], export: [], account: [], rule: [] };
  const snapshots: { snapshot: SnapshotRecord; name: string }[] = [];
  const addRules = async (kind: 'master' | 'export', id: string, owner: string) => {
    const { rules } = await loadRules(trx, company, `${kind}:${id}`);
    for (const rule of rules)
      kinds.rule.push({
        kind: 'rule',
        scope: { kind, id },
        ruleid: rule.id,
        name: rule.name,
        detail: `${owner} · ${ruleSentence(rule)}`.slice(0, 300),
        active: rule.active,
      });
  };
  const names = new Map<string, string>();
  for (const master of (await listMasters(trx, company)).toReversed()) {
    const { masterid, name } = master;
    names.set(masterid, name);
    kinds.master.push({ kind: 'master', masterid, name, detail: 'Katalog' });
    const snapshot = snapshots.length < CATALOGUES ? await liveSnapshot(trx, company, masterid) : undefined;
    if (snapshot) snapshots.push({ snapshot, name });
    await addRules('master', masterid, name);
    for (const { id, settings } of await listExports(trx, company, masterid)) {
      kinds.export.push({ kind: 'export', id, name: settings.name, detail: `Export von ${name}` });
      await addRules('export', id, settings.name);
    }
  }
  for (const { id, name, marketplace, masterid } of await listAccounts(trx, company)) {
    const detail = `Konto bei ${connectors.marketplaceName(marketplace)} · ${names.get(masterid) ?? ''}`;
    kinds.account.push({ kind: 'account', id, name, detail });
  }
  return { kinds, snapshots };
}

/** The best matches: names that begin with the text, names that contain it, then details that contain it. */
function bestOf(list: readonly Found[], wanted: string): Found[] {
  const rankOf = ({ name, detail }: Found): number => {
    const index = name.toLowerCase().indexOf(wanted);
    if (index === 0) return 0;
    if (index > 0) return 1;
    return detail.toLowerCase().includes(wanted) ? 2 : 3;
  };
  return list
    .map((found) => ({ found, rank: rankOf(found) }))
    .filter(({ rank }) => rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, EACH)
    .map(({ found }) => found);
}
