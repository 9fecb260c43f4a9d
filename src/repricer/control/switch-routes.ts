import type { FastifyInstance } from 'fastify';
import type { MaterialisedFieldSource } from '#catalogue/materialised-fields.ts';
import { recordRelease } from '#catalogue/releases.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { outgoingHold } from '#platform/installation-facts.ts';
import { KontorError, unprocessable } from '#platform/errors.ts';
import type { Audit } from '#platform/http/audit.ts';
import { requireProof, route, type Principal } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import { GOOD_PRICE_DAYS } from '#shared/repricer/state.ts';
import { api } from '#shared/http/api.ts';
import { isComplete } from '#shared/repricer/schema.ts';
import { openBreakers, releaseBreakers } from './breakers.ts';
import { openAlarms, releaseItems } from '#repricer/sales/item-alarms.ts';
import { fieldsStateOf } from '#repricer/decide/fields-state.ts';
import { limitsNow, versionNow, versionOf } from '#repricer/model/pricing-inputs-version.ts';
import { changedPriceBounds } from '#repricer/rules/changed-price-bounds.ts';
import { forMaster, type Place } from '#repricer/model/for-master.ts';
import { enqueue, enqueueAll } from '#repricer/queue/queue.ts';
import { endRestore, openRestore, previewRestore, startRestore } from './restore.ts';
import { loadRepricerRules } from '#repricer/rules/rule-store.ts';
import { loadSafety, saveSafety } from './safety.ts';
import { confirmLimits, holdSwitches, releasesPrices, loadSwitches, saveSwitches, setStop } from './state.ts';

type SwitchDeps = { database: Database; clock: Clock; ids: Ids; fields: MaterialisedFieldSource };
type Act = (trx: Trx, ref: Place) => Promise<void>;
/** The user who acts, and the audit of the call. */
type Caller = { principal: Principal; audit: Audit };

/** Registers the routes of all that can hold prices: the switches of the add-on (REP-02), emergency stops, breakers. */
export function switchRoutes(app: FastifyInstance, deps: SwitchDeps): void {
  const { database, clock } = deps;
  const acting = actor(deps);
  restoreRoutes(app, deps);
  route(app, api.repricerState, async ({ principal, params: { masterid } }) => {
    const { ref, state } = await forMaster(database, principal, masterid, async (trx, ref) => ({
      ref,
      state: await stateOf(trx, ref, clock.now()),
    }));
    return { ...state, fields: await fieldsStateOf(deps, ref) };
  });
  route(app, api.setRepricerState, ({ principal, params: { masterid }, body, audit }) =>
    acting({ principal, audit }, masterid, async (trx, ref) => {
      // Holding prices needs no proof.
      if (releasesPrices(await holdSwitches(trx, ref, principal.name), body)) requireProof(principal);
      await saveSwitches(trx, ref, body, principal.name);
    }),
  );
  route(app, api.releasePrices, ({ principal, params: { masterid }, body, audit }) =>
    acting({ principal, audit }, masterid, async (trx, ref) => {
      const { what, reason } = body;
      if (what === 'breakers') {
        await releaseBreakers(trx, ref, { by: principal.name, reason, now: clock.now() }, body.ids);
        return;
      }
      const version = await versionNow(trx, ref);
      if (body.version !== undefined && body.version !== version) throw otherLimits();
      await confirmLimits(trx, ref, { version, author: principal.name });
      // T26: the history shows who confirmed them, when and why.
      const release = { what: 'Stark geänderte Preisgrenzen bestätigt', reason };
      await recordRelease(trx, { company: ref.company, scope: `master:${masterid}` }, release, principal.name);
    }),
  );
  route(app, api.priceSafety, ({ principal, params: { masterid } }) =>
    forMaster(database, principal, masterid, loadSafety),
  );
  route(app, api.savePriceSafety, ({ principal, params: { masterid }, body, ifMatch, audit }) =>
    forMaster(database, principal, masterid, async (trx, ref) => {
      const saved = await saveSafety(trx, ref, body, { author: principal.name, expected: ifMatch });
      // Prices held by the old figures are decided again with the new ones.
      await enqueue(trx, ref, { cause: 'switch', now: clock.now() });
      await audit.within(trx);
      return saved;
    }),
  );
  releaseItemRoute(app, acting, clock);
  route(app, api.stopPrices, ({ principal, body, audit }) =>
    database.company(principal.company, async (trx) => {
      if (!body.stopped) requireProof(principal);
      await setStop(trx, principal.company, body.stopped, body.reason);
      // Held prices are decided now, not only with the next offers.
      if (!body.stopped) await enqueueAll(trx, principal.company, clock.now());
      await audit.within(trx);
      return { ok: true as const, stopped: body.stopped };
    }),
  );
}

/** Releases items that a sales alarm held. */
function releaseItemRoute(app: FastifyInstance, acting: ReturnType<typeof actor>, clock: Clock): void {
  route(app, api.releaseItems, ({ principal, params: { masterid }, body: { ids, reason }, audit }) =>
    acting(
      { principal, audit },
      masterid,
      async (trx, ref) => {
        const released = await releaseItems(trx, ref, ids, { by: principal.name, reason, now: clock.now() });
        const named = released.map(({ item }) => item);
        const more = named.length > 5 ? ` und ${named.length - 5} weitere` : '';
        const what = `Verkaufsalarm freigegeben: Artikel ${named.slice(0, 5).join(', ')}${more}`;
        await recordRelease(
          trx,
          { company: principal.company, scope: `master:${masterid}` },
          { what, reason },
          principal.name,
        );
      },
      // The released items are in the queue; no others are affected.
      { others: false },
    ),
  );
}

const otherLimits = () =>
  new KontorError(
    409,
    'limits_changed',
    'Die Preisgrenzen haben sich inzwischen noch einmal geändert. Es wurde nichts bestätigt: bitte sehen Sie sich die heutigen Grenzen an.',
  );

/**
 * Checks that a rule gives limits, paused or not: good prices are sent only within them, so without any none would be restored.
 * @throws 422
 */
async function requireLimits(trx: Trx, ref: Place): Promise<void> {
  const { rules } = await loadRepricerRules(trx, ref);
  if (rules.some(isComplete)) return;
  throw unprocessable(
    'no_limits',
    'In diesem Katalog ist keine Repricing-Regel vollständig, auch keine pausierte. Ohne ihre Preisgrenzen sendet Kontor keinen Preis, auch keinen guten von früher. Es wurde nichts begonnen. Bitte holen Sie eine gelöschte Regel aus dem Verlauf zurück, oder legen Sie eine mit Preisgrenzen an; sie darf pausiert bleiben.',
  );
}

/** 'Letzte gute Preise': routes that preview a restore, start it and end it. */
function restoreRoutes(app: FastifyInstance, deps: SwitchDeps): void {
  const { database, clock, ids } = deps;
  const acting = actor(deps);
  const past = (text: string) => {
    const moment = new Date(text);
    const oldest = clock.now().getTime() - GOOD_PRICE_DAYS * 24 * 60 * 60_000;
    if (moment.getTime() < oldest)
      throw unprocessable('too_long_ago', `Der Zeitpunkt liegt mehr als ${GOOD_PRICE_DAYS} Tage zurück.`, [
        {
          field: 'moment',
          message: `Frühere Preise liegen nur noch im Archiv der Entscheidungen. Bitte einen Zeitpunkt der letzten ${GOOD_PRICE_DAYS} Tage wählen.`,
        },
      ]);
    if (moment <= clock.now()) return moment;
    throw unprocessable('future', 'Der Zeitpunkt liegt in der Zukunft.', [
      { field: 'moment', message: 'Bitte einen Zeitpunkt in der Vergangenheit wählen.' },
    ]);
  };
  route(app, api.previewRestore, ({ principal, params: { masterid }, body }) =>
    forMaster(database, principal, masterid, (trx, ref) => previewRestore(trx, ref, past(body.moment))),
  );
  route(app, api.startRestore, ({ principal, params: { masterid }, body: { moment, reason }, audit }) =>
    acting({ principal, audit }, masterid, async (trx, ref) => {
      await requireLimits(trx, ref);
      const now = clock.now();
      const restore = { id: ids.id(), moment: past(moment), reason, author: principal.name, startedAt: now };
      await startRestore(trx, ref, restore);
      const release = { by: principal.name, reason: `Letzte gute Preise: ${reason}`, now };
      await releaseBreakers(trx, ref, release);
      await releaseItems(trx, ref, undefined, release);
    }),
  );
  route(app, api.endRestore, ({ principal, params: { masterid }, audit }) =>
    acting({ principal, audit }, masterid, (trx, ref) => endRestore(trx, ref, principal.name, clock.now())),
  );
}

/**
 * Returns a function that changes the switches and returns the resulting state. Prices held by a switch are decided again under
 * the present one; none is sent as it was.
 */
function actor(deps: SwitchDeps) {
  const { database, clock } = deps;
  return async (caller: Caller, masterid: string, act: Act, { others } = { others: true }) => {
    const { principal, audit } = caller;
    const { ref, state } = await forMaster(database, principal, masterid, async (trx, ref) => {
      await act(trx, ref);
      if (others) await enqueue(trx, ref, { cause: 'switch', now: clock.now() });
      const state = await stateOf(trx, ref, clock.now());
      await audit.within(trx);
      return { ref, state };
    });
    return { ...state, fields: await fieldsStateOf(deps, ref) };
  };
}

async function stateOf(trx: Trx, ref: Place, now: Date) {
  const { rules, revision } = await loadRepricerRules(trx, ref);
  const breakers = await openBreakers(trx, ref);
  const restore = await openRestore(trx, ref);
  const { alarms, total } = await openAlarms(trx, ref);
  return {
    ...(await loadSwitches(trx, ref.company, ref.masterid)),
    outgoing_held: (await outgoingHold(trx)) !== undefined,
    order: rules.map(({ id }) => id),
    revision,
    restore: restore
      ? {
          moment: restore.moment.toISOString(),
          reason: restore.reason,
          author: restore.author,
          startedAt: restore.startedAt.toISOString(),
        }
      : null,
    alarms: alarms.map(({ id, item, marketplace, details, trippedAt }) => ({
      id,
      item,
      marketplace,
      details,
      trippedAt: trippedAt.toISOString(),
    })),
    alarms_total: total,
    moved_limits: await changedPriceBounds(trx, ref, now),
    limits_version: versionOf(await limitsNow(trx, ref)),
    breakers: breakers.map((breaker) => ({ ...breaker, trippedAt: breaker.trippedAt.toISOString() })),
  };
}
