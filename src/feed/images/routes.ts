import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { firstAddress } from '#shared/items/image-addresses.ts';
import { readValues } from '#catalogue/grid.ts';
import { activeMaster } from '#catalogue/masters.ts';
import { neededSnapshot } from '#catalogue/snapshots.ts';
import { unprocessable } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import { ImageHeads } from './heads.ts';
import type { ImageDeps } from './job.ts';

/** ITE-05. Only what stands in the catalogue is asked for: a call names items, no addresses. */
export function imageRoutes(app: FastifyInstance, deps: ImageDeps): void {
  const { database, duckdb, storagePaths } = deps;
  const heads = new ImageHeads(deps);
  route(app, api.itemImages, async ({ principal, body, signal }) => {
    const snapshot = await database.company(principal.company, async (trx) => {
      const { masterid } = await activeMaster(trx, principal.company, body.masterid);
      return neededSnapshot(trx, principal.company, masterid);
    });
    if (!snapshot.fields.some(({ id }) => id === body.field))
      throw unprocessable('unknown_field', 'Dieses Feld gibt es im Katalog nicht (mehr).');
    const path = storagePaths.snapshot(principal.company, snapshot.masterid, snapshot.number);
    const values = await readValues(duckdb, path, body.field, body.ids, signal);
    const addresses = [...values].map(([id, value]) => ({ id, address: firstAddress(value) }));
    const there = await heads.there(
      addresses.map(({ address }) => address),
      signal,
    );
    return { valid: addresses.filter(({ address }) => there.has(address)).map(({ id }) => id) };
  });
}
