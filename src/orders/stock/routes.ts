import type { FastifyInstance } from 'fastify';
import { spreadsheetCsvRows, csvHeaders } from '#catalogue/spreadsheet-csv.ts';
import { loadMaster } from '#catalogue/masters.ts';
import { recordRelease } from '#catalogue/releases.ts';
import { liveSnapshot } from '#catalogue/snapshots.ts';
import type { Clock } from '#platform/clock.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError, notFound, unprocessable } from '#platform/errors.ts';
import { route, type Principal } from '#platform/http/server.ts';
import { api } from '#shared/http/api.ts';
import type { StockPlace } from './compute.ts';
import { stockEffect } from './effect.ts';
import { findStock, stockChannels, stockState } from './find-stock.ts';
import { stockReason } from './reason.ts';
import { loadStockSettings, saveStockSettings } from './settings.ts';
import type { SourceDeps } from './source.ts';
import { stockCells } from './stock-csv.ts';

export type StockRouteDeps = SourceDeps & { clock: Clock };

/** Registers the routes for available stock, its explanation, the settings and the release of a hold. */
export function stockRoutes(app: FastifyInstance, deps: StockRouteDeps): void {
  numberRoutes(app, deps);
  settingsRoutes(app, deps);
}

/** Runs `work` for a catalogue of the requesting company. */
const withinCatalogue =
  ({ database }: SourceDeps) =>
  <T>(
    { company }: Principal,
    master: string,
    work: (trx: Trx, place: StockPlace & { name: string }) => Promise<T>,
  ): Promise<T> =>
    database.company(company, async (trx) => {
      const { name } = await loadMaster(trx, company, master);
      return work(trx, { company, master, name });
    });

function numberRoutes(app: FastifyInstance, deps: StockRouteDeps): void {
  const { database, clock } = deps;
  const within = withinCatalogue(deps);

  route(app, api.stock, ({ principal, params, query }) =>
    within(principal, params.masterid, async (trx, place) => ({
      state: await stockState(trx, place),
      channels: await stockChannels(trx, place),
      ...(await findStock(trx, place, query)),
      as_of: clock.now().toISOString(),
    })),
  );

  route(app, api.stockCsv, async ({ principal, params, reply }) => {
    const { place, channels } = await within(principal, params.masterid, async (trx, place) => ({
      place,
      channels: await stockChannels(trx, place),
    }));
    const { header, rows } = stockCells(database, place, channels);
    csvHeaders(reply, `Bestand ${place.name}.csv`);
    return spreadsheetCsvRows(header, rows);
  });

  route(app, api.stockReason, ({ principal, params }) =>
    within(principal, params.masterid, async (trx, place) => {
      const reason = await stockReason(trx, place, params.itemid);
      if (reason === undefined) throw notFound('Diesen Artikel');
      return reason;
    }),
  );
}

function settingsRoutes(app: FastifyInstance, deps: StockRouteDeps): void {
  const { clock } = deps;
  const within = withinCatalogue(deps);

  route(app, api.stockSettings, ({ principal, params }) =>
    within(principal, params.masterid, async (trx, place) => ({
      ...(await loadStockSettings(trx, place.company, place.master)),
      fields: ((await liveSnapshot(trx, place.company, place.master))?.fields ?? []).map(({ name }) => name),
      channels: await stockChannels(trx, place),
    })),
  );

  route(app, api.saveStockSettings, ({ principal, params, body, ifMatch }) =>
    within(principal, params.masterid, async (trx, { company, master }) => {
      const known = new Set((await stockChannels(trx, { company, master })).map(({ id }) => id));
      const { settings } = await loadStockSettings(trx, company, master);
      for (const { id } of settings.channels) known.add(id);
      if (body.channels.some(({ id }) => !known.has(id)))
        throw unprocessable(
          'unknown_channel',
          'Einen dieser Kanäle gibt es in diesem Katalog nicht. Es wurde nichts gespeichert.',
        );
      const save = { author: principal.name, expected: ifMatch };
      const revision = await saveStockSettings(trx, { company, masterid: master }, body, save);
      return { ok: true as const, revision, message: 'Gespeichert. Die Bestände werden neu berechnet.' };
    }),
  );

  route(app, api.stockEffect, async ({ principal, params, body }) => {
    const place = await within(principal, params.masterid, (_trx, { company, master }) =>
      Promise.resolve({ company, master }),
    );
    return stockEffect(deps, place, body);
  });

  route(app, api.releaseStock, ({ principal, params, body, audit }) =>
    within(principal, params.masterid, async (trx, { company, master }) => {
      const released = await trx
        .updateTable('stock_states')
        .set({
          released_at: clock.now(),
          released_by: principal.name,
          release_reason: body.reason,
          held: '',
          held_at: null,
        })
        .where((eb) => eb.and({ company, master }))
        .where('held', '<>', '')
        .returning('master')
        .executeTakeFirst();
      if (released === undefined)
        throw new KontorError(409, 'nothing_held', 'Es sind keine Bestände angehalten. Es wurde nichts geändert.');
      const release = { what: 'Angehaltene Bestände werden gesendet', reason: body.reason };
      await recordRelease(trx, { company, scope: `master:${master}` }, release, principal.name);
      await audit.within(trx);
      return { ok: true as const };
    }),
  );
}
