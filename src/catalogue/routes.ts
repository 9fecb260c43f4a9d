import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { api } from '#shared/http/api.ts';
import { readColumns } from '#shared/items/column-list.ts';
import { csvName } from '#shared/items/csv-name.ts';
import { addressesOf, firstAddress } from '#shared/items/image-addresses.ts';
import type { Field, ItemRow } from '#shared/items/schema.ts';
import type { Database } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import { notFound } from '#platform/errors.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import { route, type Principal } from '#platform/http/server.ts';
import { gridFields, saveColumns } from './columns.ts';
import { FacetCache } from './facets/facet-cache.ts';
import { itemFacet } from './facets/item-facet.ts';
import { allRows, readItem, readPage } from './grid.ts';
import { csvHeaders, spreadsheetCsv } from './spreadsheet-csv.ts';
import { itemHistory } from './item-history.ts';
import { activeMaster, MASTER_HEADER } from './masters.ts';
import { pictureMarks } from './picture-marks.ts';
import { RowFiles } from './row-files/row-files.ts';
import { readSelection } from './selection/item-selection.ts';
import type { StoragePaths } from './storage-paths.ts';
import { keptSnapshot, liveSnapshot, neededSnapshot, noItems, type SnapshotRecord } from './snapshots.ts';

export type ItemDeps = {
  database: Database;
  duckdb: DuckDb;
  storagePaths: StoragePaths;
  vault: Vault;
  metrics: Metrics;
};

const noItemsText = '<p>Dieser Katalog hat noch keine Artikel. Importieren Sie zuerst eine Datei.</p>';

export function itemRoutes(app: FastifyInstance, deps: ItemDeps): void {
  const rowFiles = new RowFiles(deps.duckdb);
  rowFiles.measure(deps.metrics);
  app.addHook('onClose', async () => rowFiles.close());
  pageRoute(app, deps, rowFiles);
  cardRoute(app, deps, rowFiles);
  csvRoute(app, deps);
  facetRoute(app, deps);

  route(app, api.itemHistory, ({ principal: { company }, params, query: { masterid } }) =>
    itemHistory(deps, { company, masterid, itemId: params.id }),
  );

  route(app, api.updateFields, async ({ principal, body }) => {
    await deps.database.company(principal.company, async (trx) => {
      const { masterid } = await activeMaster(trx, principal.company, body.masterid);
      await saveColumns(
        trx,
        await neededSnapshot(trx, principal.company, masterid),
        body.updatedColumns,
        principal.name,
      );
    });
    return { ok: true as const };
  });
}

type LiveItemsRequest = {
  principal: Principal;
  query: { masterid?: string | undefined; snapshot?: number | undefined };
  request: FastifyRequest;
  reply: FastifyReply;
};

/**
 * Returns the live snapshot of the call's master, or the requested one, with its file and its fields with their visibility;
 * undefined before the first import. @throws 410 for a snapshot that is no longer stored
 */
function liveItems({ database, storagePaths }: ItemDeps, { principal, query, request, reply }: LiveItemsRequest) {
  const { company } = principal;
  return database.company(company, async (trx) => {
    const master = await activeMaster(trx, company, query.masterid, request.headers.cookie);
    reply.header(MASTER_HEADER, master.masterid);
    const snapshot =
      query.snapshot === undefined
        ? await liveSnapshot(trx, company, master.masterid)
        : await keptSnapshot(trx, company, master.masterid, query.snapshot);
    if (!snapshot) return undefined;
    return {
      name: master.name,
      snapshot,
      path: storagePaths.snapshot(company, master.masterid, snapshot.number),
      fields: await gridFields(trx, snapshot),
    };
  });
}

const idColumn = (snapshot: SnapshotRecord) => ({ id: '_id', name: snapshot.key ?? 'Zeile' });

function pageRoute(app: FastifyInstance, deps: ItemDeps, rowFiles: RowFiles): void {
  route(app, api.items, async (request) => {
    const { query, signal } = request;
    const marksOf = (addresses: readonly string[]) => pictureMarks(deps.vault, request.principal.company, addresses);
    const live = await liveItems(deps, request);
    if (!live)
      return {
        columns: [],
        data: [],
        total: 0,
        items: 0,
        fields: [],
        finished: true,
        pageCount: 0,
        message: noItemsText,
        pictures: {},
        snapshot: null,
      };
    const { snapshot, fields } = live;
    const shown = shownFields(fields, query.columns);
    const image = snapshot.fields.find((field) => field.guess === 'image')?.id;
    const wanted = [...shown.map(({ id }) => id), ...(image === undefined ? [] : [image])];
    const page = await readPage(
      deps.duckdb,
      { ...live, wanted, rowFiles },
      readSelection(query, snapshot),
      query,
      signal,
    );
    const data = page.rows.map((row) => {
      const value = image === undefined ? null : (row[image] ?? null);
      const imageUrl = value === null ? null : firstAddress(value);
      const out: ItemRow = { _id: row['_id'] ?? null, imageUrl };
      for (const field of shown) out[field.id] = row[field.id] ?? null;
      return out;
    });
    return {
      columns: [
        idColumn(snapshot),
        ...shown.map(({ id, name, guess, note, groups }) => ({ id, name, guess, note, groups })),
      ],
      data,
      total: page.total,
      items: snapshot.items,
      fields,
      finished: query.offset + data.length >= page.total,
      pageCount: Math.ceil(page.total / query.limit),
      message: page.total === 0 ? '<p>Kein Artikel passt zu Suche und Filter.</p>' : '',
      pictures: query.pictures === 'true' ? marksOf(shownPictures(shown, data)) : {},
      snapshot: snapshot.number,
    };
  });
}

/** Returns the addresses of the pictures that a page of items shows: the first one of each value. */
function shownPictures(fields: readonly Field[], rows: readonly ItemRow[]): string[] {
  const pictures = fields.filter(({ guess }) => guess === 'image');
  return rows.flatMap((row) => pictures.map(({ id }) => firstAddress(row[id] ?? '')));
}

/** Returns the requested fields in the catalogue's order, or else those that the company chose. Unknown ids are ignored. */
function shownFields(fields: readonly Field[], requested: string | undefined): readonly Field[] {
  if (requested === undefined || requested === '') return fields.filter(({ show }) => show === 1);
  const ids = new Set(readColumns(requested));
  return fields.filter(({ id }) => ids.has(id));
}

function cardRoute(app: FastifyInstance, deps: ItemDeps, rowFiles: RowFiles): void {
  route(app, api.item, async (request) => {
    const { params, query, signal } = request;
    const live = await liveItems(deps, request);
    const item =
      live &&
      (await readItem(deps.duckdb, { ...live, rowFiles }, params.id, readSelection(query, live.snapshot), signal));
    if (!item) throw notFound('Diesen Artikel');
    // Field names come from files: with a null prototype `__proto__` is an ordinary name (T10).
    const data: ItemRow = Object.create(null);
    data['_id'] = item.row['_id'] ?? null;
    for (const field of live.snapshot.fields) data[field.name] = item.row[field.id] ?? null;
    const images = live.snapshot.fields.filter(({ guess }) => guess === 'image');
    const addresses = images.flatMap(({ id }) => addressesOf(item.row[id] ?? ''));
    const pictures = pictureMarks(deps.vault, request.principal.company, addresses);
    return { data, fields: live.fields, neighbours: { previous: item.previous, next: item.next }, pictures };
  });
}

function csvRoute(app: FastifyInstance, deps: ItemDeps): void {
  route(app, api.itemsCsv, async (request) => {
    const { query, reply, signal } = request;
    const live = await liveItems(deps, request);
    if (!live) throw notFound('Artikel in diesem Katalog');
    // The item number is the first column already.
    const shown = shownFields(live.fields, query.columns).filter((field) => field.name !== live.snapshot.key);
    const columns = shown.map((field) => field.id);
    const statement = allRows(live.path, live.snapshot, readSelection(query, live.snapshot), columns);
    const chosen = [query.search, query.filter].some((one) => one !== undefined && one.trim() !== '');
    csvHeaders(reply, csvName('Artikel', live.name, chosen ? 'Auswahl' : ''));
    const header = [idColumn(live.snapshot).name, ...shown.map((field) => field.name)];
    return spreadsheetCsv(deps.duckdb, header, statement, signal);
  });
}

function facetRoute(app: FastifyInstance, deps: ItemDeps): void {
  const facets = new FacetCache();
  route(app, api.itemFacet, async (request) => {
    const live = await liveItems(deps, request);
    if (!live) throw noItems();
    return itemFacet({ duckdb: deps.duckdb, facets }, live, request.query, request.signal);
  });
}
