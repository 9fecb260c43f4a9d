import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { firstAddress } from '#shared/items/image-addresses.ts';
import { readValues } from '#catalogue/grid.ts';
import { activeMaster } from '#catalogue/masters.ts';
import { neededSnapshot } from '#catalogue/snapshots.ts';
import { isPictureMark } from '#catalogue/picture-marks.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import { notFound, unprocessable } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import { ImageHeads } from './heads.ts';
import type { ImageDeps } from './job.ts';
import { Pictures } from './pictures.ts';

export type ImageRouteDeps = ImageDeps & { vault: Vault };

/** Cached for a day: a catalogue's pictures seldom change, and a new picture mostly has a new address. */
const KEPT_SECONDS = 24 * 60 * 60;

/** ITE-05. Only addresses of the catalogue are requested: a call names items, not addresses. */
export function imageRoutes(app: FastifyInstance, deps: ImageRouteDeps): void {
  pictureRoute(app, deps);
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
    const reachable = await heads.there(
      addresses.map(({ address }) => address),
      signal,
    );
    return { valid: addresses.filter(({ address }) => reachable.has(address)).map(({ id }) => id) };
  });
}

/** A client names an address, but only one that this server has signed for the company: this is no open proxy. */
function pictureRoute(app: FastifyInstance, deps: ImageRouteDeps): void {
  const pictures = new Pictures(deps);
  route(app, api.picture, async ({ principal, query: { address, mark }, reply, signal }) => {
    if (!isPictureMark(deps.vault, principal.company, address, mark)) throw notFound('Dieses Bild');
    const { type, stream } = await pictures.open(principal, address, signal);
    // Headers against type sniffing, embedding elsewhere and scripts are set on every answer (protection-headers.ts).
    reply.headers({ 'content-type': type, 'cache-control': `private, max-age=${KEPT_SECONDS}` });
    return stream;
  });
}
