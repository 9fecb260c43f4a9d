import type { FastifyInstance } from 'fastify';
import { loadMaster } from '#catalogue/masters.ts';
import type { ReadMessage } from '#marketplaces/port.ts';
import { requireProof, route } from '#platform/http/server.ts';
import { api } from '#shared/http/api.ts';
import { RepricerRule } from '#shared/repricer/schema.ts';
import type { ArchiveDeps } from '#repricer/archive/archive-file.ts';
import { decisionHistory } from '#repricer/archive/decision-history.ts';
import { SimulationCache } from '#repricer/simulation/kept-simulations.ts';
import { askedLimitChange } from '#repricer/rules/confirm-limits.ts';
import { otherProducts, saveListings } from '#repricer/model/listings.ts';
import { requireSellable } from '#repricer/intake/reported-listings.ts';
import { requireConfirmed } from '#catalogue/limits-review.ts';
import { ASKED_ABOVE } from '#shared/repricer/before-save.ts';
import { integerText } from '#shared/values/integer-text.ts';
import { takeMessages, type IntakeDeps } from '#repricer/intake/messages.ts';
import { fulfilmentOfWire } from '#repricer/model/priced-item.ts';
import { forMaster } from '#repricer/model/for-master.ts';
import { priceComparisonsOf } from './price-comparison.ts';
import type { SimulateDeps } from '#repricer/simulation/simulate.ts';
import { simulate } from '#repricer/simulation/simulate-kept.ts';
import { saveSimulated, simulatedContents } from '#repricer/simulation/simulated.ts';

type PriceDeps = SimulateDeps &
  ArchiveDeps &
  IntakeDeps & {
    /** Parses a marketplace's message; the call does not name the marketplace. */
    connectors: { readMessage: ReadMessage };
  };

/**
 * Registers the routes for input (our offers, those of others, orders) and for queries (why a price is so, what a rule would do).
 */
export function priceRoutes(app: FastifyInstance, deps: PriceDeps): void {
  trialRoutes(app, deps);
  intakeRoutes(app, deps);
  const { database } = deps;
  route(app, api.priceDecisions, async ({ principal, params: { masterid, itemid }, query, signal }) => {
    const ref = await forMaster(database, principal, masterid, async (_trx, ref) => ref);
    return decisionHistory(deps, ref, itemid, query, signal);
  });
  route(app, api.priceRuler, async ({ principal, params: { masterid, itemid }, query }) => {
    const ref = await forMaster(database, principal, masterid, async (_trx, ref) => ref);
    return priceComparisonsOf(deps, ref, itemid, query.marketplace);
  });
}

/** Registers the routes that show what a rule would do and which limits it would change. */
function trialRoutes(app: FastifyInstance, deps: PriceDeps): void {
  const { database, clock } = deps;
  const simulations = new SimulationCache(clock);
  route(app, api.simulatePrices, async ({ principal, params: { masterid }, body, signal }) => {
    const ref = await forMaster(database, principal, masterid, async (_trx, ref) => ref);
    const { answer, isNew } = await simulate({ ...deps, simulations }, ref, body, signal);
    const rule = RepricerRule.safeParse(body.rule);
    // Only the first page of a new simulation counts as a trial, not paging or single items; a user who cannot activate a rule
    // cannot vouch for it.
    const first = body.offset === 0 && body.reason === undefined && body.move === undefined && body.item === undefined;
    const looked = body.on === 'now' || answer.total > 0;
    if (isNew && first && looked && rule.success && principal.permissions.includes('prices')) {
      const offers = answer.total - (answer.reasons['HOLD_NO_OFFER_DATA'] ?? 0);
      const trial = { author: principal.name, now: clock.now(), offers };
      await database.company(principal.company, (trx) => saveSimulated(trx, ref, rule.data, trial));
    }
    return answer;
  });
  route(app, api.simulatedRules, ({ principal, params: { masterid } }) =>
    forMaster(database, principal, masterid, (trx, ref) => simulatedContents(trx, ref)),
  );
  route(app, api.limitChange, async ({ principal, params: { masterid }, body, signal }) => {
    const ref = await forMaster(database, principal, masterid, async (_trx, ref) => ref);
    return askedLimitChange(deps, ref, body, signal);
  });
  route(app, api.repricerFields, async ({ principal, params: { masterid } }) => {
    const ref = await forMaster(database, principal, masterid, async (_trx, ref) => ref);
    return deps.fields.offered(ref);
  });
}

function intakeRoutes(
  app: FastifyInstance,
  { database, clock, ids, onOrders, onActions, connectors }: PriceDeps,
): void {
  route(app, api.saveListings, ({ principal, params: { masterid }, body, audit, confirmation }) =>
    forMaster(database, principal, masterid, async (trx, ref) => {
      await requireSellable(trx, ref, body);
      const listings = body.map(({ asin: productId, fulfillment, ...offer }) => ({
        ...offer,
        productId,
        fulfilment: fulfilmentOfWire(fulfillment),
      }));
      const moved = await otherProducts(trx, ref, listings);
      if (moved > 0) {
        // The limits of an item then apply to another product, as if they were read from another field.
        requireProof(principal);
        if (moved > ASKED_ABOVE)
          requireConfirmed(
            confirmation,
            `Bei ${integerText(moved)} Ihrer Angebote gehören Preisgrenzen damit zu einem anderen Produkt: Sie nennen für dieselben Artikel andere SKUs oder Produktnummern, oder für andere Artikel dieselben SKUs.`,
            moved,
          );
        audit.as('prices');
        await audit.within(trx, `Angebote mit anderem Produkt: ${integerText(moved)}`);
      }
      await saveListings(trx, ref, listings, clock.now());
      return { ok: true as const, saved: body.length };
    }),
  );
  route(app, api.takeOffers, async ({ principal, params: { masterid }, body }) => {
    await database.company(principal.company, (trx) => loadMaster(trx, principal.company, masterid));
    return takeMessages(
      { database, clock, ids, onOrders, onActions },
      principal.company,
      body.map((raw) => connectors.readMessage(raw)),
    );
  });
}
