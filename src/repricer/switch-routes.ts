import type { FastifyInstance } from 'fastify';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db.ts';
import { route } from '#platform/http.ts';
import { api } from '#shared/api.ts';
import { openBreakers, releaseBreakers } from './breakers.ts';
import { versionNow } from './limits-version.ts';
import { onMaster, type Place } from './on-master.ts';
import { enqueue } from './queue.ts';
import { loadRepricerRules } from './rule-store.ts';
import { confirmLimits, loadSwitches, saveSwitches, setStop } from './state.ts';

/** Whatever can keep prices from going out: the switches of the add-on (REP-02), emergency stops, breakers. */
export function switchRoutes(app: FastifyInstance, { database, clock }: { database: Database; clock: Clock }): void {
  route(app, api.repricerState, ({ who, params: { masterid } }) => onMaster(database, who, masterid, stateOf));
  route(app, api.setRepricerState, ({ who, params: { masterid }, body }) =>
    onMaster(database, who, masterid, async (trx, place) => {
      await saveSwitches(trx, place, body, who.name);
      return askedAgain(trx, place, clock);
    }),
  );
  route(app, api.releasePrices, ({ who, params: { masterid }, body }) =>
    onMaster(database, who, masterid, async (trx, place) => {
      if (body.what === 'breakers')
        await releaseBreakers(trx, place, { by: who.name, reason: body.reason, now: clock.now() });
      else await confirmLimits(trx, place, { version: await versionNow(trx, place), author: who.name });
      return askedAgain(trx, place, clock);
    }),
  );
  route(app, api.stopPrices, ({ who, body }) =>
    database.company(who.company, async (trx) => {
      await setStop(trx, who.company, body.stopped, body.reason);
      return { ok: true as const, stopped: body.stopped };
    }),
  );
}

/** What was held by a switch is decided anew under the present one; nothing that waited goes out as it was. */
async function askedAgain(trx: Trx, place: Place, clock: Clock) {
  await enqueue(trx, place, { cause: 'switch', now: clock.now() });
  return stateOf(trx, place);
}

async function stateOf(trx: Trx, place: Place) {
  const { rules, revision } = await loadRepricerRules(trx, place);
  const breakers = await openBreakers(trx, place);
  return {
    ...(await loadSwitches(trx, place.company, place.masterid)),
    order: rules.map(({ id }) => id),
    revision,
    breakers: breakers.map((breaker) => ({ ...breaker, trippedAt: breaker.trippedAt.toISOString() })),
  };
}
