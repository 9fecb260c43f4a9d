import type { FastifyInstance } from 'fastify';
import { api } from '#shared/api.ts';
import type { Database } from '#platform/db.ts';
import type { Duck } from '#platform/duck.ts';
import { notFound } from '#platform/errors.ts';
import { route } from '#platform/http.ts';
import { gridFields, saveColumns } from './columns.ts';
import { allRows, readItem, readPage, readSelection } from './grid.ts';
import { humanCsv } from './human-csv.ts';
import { activeMaster } from './masters.ts';
import type { Places } from './places.ts';
import { liveSnapshot, neededSnapshot, type SnapshotRecord } from './snapshots.ts';

export type ItemParts = { database: Database; duck: Duck; places: Places };

const noItemsText = '<p>Dieser Katalog hat noch keine Artikel. Importieren Sie zuerst eine Datei.</p>';

export function itemRoutes(app: FastifyInstance, { database, duck, places }: ItemParts): void {
  const sourceOf = (snapshot: SnapshotRecord) => ({
    snapshot,
    path: places.snapshot(snapshot.company, snapshot.masterid, snapshot.number),
  });
  const fromMaster = <T>(
    company: string,
    masterid: string | undefined,
    work: (snapshot: SnapshotRecord, trx: Parameters<Parameters<Database['company']>[1]>[0]) => Promise<T>,
  ) =>
    database.company(company, async (trx) => {
      const master = await activeMaster(trx, company, masterid);
      return work(await neededSnapshot(trx, company, master.masterid), trx);
    });

  route(app, api.items, async ({ who, query }) => {
    const found = await database.company(who.company, async (trx) => {
      const master = await activeMaster(trx, who.company, query.masterid);
      const snapshot = await liveSnapshot(trx, who.company, master.masterid);
      return snapshot && { snapshot, fields: await gridFields(trx, snapshot) };
    });
    if (!found)
      return { columns: [], data: [], total: 0, fields: [], finished: true, pageCount: 0, message: noItemsText };
    const { snapshot, fields } = found;
    const page = await readPage(duck, sourceOf(snapshot), readSelection(query, snapshot), query);
    const shown = fields.filter((field) => field.show === 1);
    const image = snapshot.fields.find((field) => field.guess === 'image')?.id;
    const data = page.rows.map((row) => {
      const out: Record<string, string | null> = {
        _id: row['_id'] ?? null,
        imageUrl: image === undefined ? null : firstLine(row[image]),
      };
      for (const field of shown) out[field.id] = row[field.id] ?? null;
      return out;
    });
    return {
      columns: [
        { id: '_id', name: snapshot.key ?? 'Zeile' },
        ...shown.map(({ id, name, guess }) => ({ id, name, guess })),
      ],
      data,
      total: page.total,
      fields,
      finished: query.offset + data.length >= page.total,
      pageCount: Math.ceil(page.total / query.limit),
      message: page.total === 0 ? '<p>Kein Artikel passt zu Suche und Filter.</p>' : '',
    };
  });

  route(app, api.item, async ({ who, params, query }) => {
    const { snapshot, fields } = await fromMaster(who.company, query.masterid, async (found, trx) => ({
      snapshot: found,
      fields: await gridFields(trx, found),
    }));
    const item = await readItem(duck, sourceOf(snapshot), params.id);
    if (!item) throw notFound('Diesen Artikel');
    // Names come from files: a null prototype keeps `__proto__` a plain name (T10).
    const data: Record<string, string | null> = Object.create(null);
    data['_id'] = item.row['_id'] ?? null;
    for (const field of snapshot.fields) data[field.name] = item.row[field.id] ?? null;
    return { data, fields, neighbours: { previous: item.previous, next: item.next } };
  });

  route(app, api.updateFields, async ({ who, body }) => {
    await fromMaster(who.company, body.masterid, (snapshot, trx) =>
      saveColumns(trx, snapshot, body.updatedColumns, who.name),
    );
    return { ok: true as const };
  });

  route(app, api.itemsCsv, async ({ who, query, reply }) => {
    const { snapshot, fields } = await fromMaster(who.company, query.masterid, async (found, trx) => ({
      snapshot: found,
      fields: await gridFields(trx, found),
    }));
    const shown = fields.filter((field) => field.show === 1);
    const { path } = sourceOf(snapshot);
    const statement = allRows(
      path,
      snapshot,
      readSelection(query, snapshot),
      shown.map((field) => field.id),
    );
    reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="artikel.csv"');
    return humanCsv(duck, [snapshot.key ?? 'Zeile', ...shown.map((field) => field.name)], statement);
  });
}

/** Several addresses in one value stand one per line; the grid shows the first. */
function firstLine(value: string | null | undefined): string | null {
  return value?.split(/[\n,|]\s*(?=https?:)|\n/)[0]?.trim() ?? null;
}
