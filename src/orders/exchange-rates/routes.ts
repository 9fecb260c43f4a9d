import type { FastifyInstance } from 'fastify';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { route } from '#platform/http/server.ts';
import { lastRatesFetch } from '#platform/installation-facts.ts';
import { api } from '#shared/http/api.ts';
import type { ExchangeRates } from '#shared/orders/exchange-rates.ts';
import { MICROS } from './read-reference-rates.ts';

export type RateRouteDeps = { database: Database; clock: Clock; exchangeRates: string | undefined };

/** Registers the routes that return the known exchange rates and store a company's own rates. */
export function rateRoutes(app: FastifyInstance, { database, clock, exchangeRates }: RateRouteDeps): void {
  const answer = async (trx: Trx, company: string): Promise<ExchangeRates> => {
    const fetching = exchangeRates !== undefined;
    const last = fetching ? await lastRatesFetch(trx) : undefined;
    const newest = await trx
      .selectFrom('exchange_rates')
      .select(({ fn }) => fn.max('day').as('day'))
      .executeTakeFirst();
    const own = await trx
      .selectFrom('own_exchange_rates')
      .select(['currency', 'micros', 'set_at'])
      .where('company', '=', company)
      .orderBy('currency')
      .execute();
    return {
      fetching,
      newest: newest?.day ?? null,
      failed_since: last?.failedSince ?? null,
      failure: last?.message ?? '',
      own: own.map(({ currency, micros, set_at }) => ({
        currency,
        rate: micros / MICROS,
        set_at: set_at.toISOString(),
      })),
    };
  };
  route(app, api.exchangeRates, ({ principal: { company } }) =>
    database.company(company, (trx) => answer(trx, company)),
  );
  route(app, api.setExchangeRate, ({ principal, body: { currency, rate } }) => {
    const { company } = principal;
    return database.company(company, async (trx) => {
      if (rate === null)
        await trx
          .deleteFrom('own_exchange_rates')
          .where((eb) => eb.and({ company, currency }))
          .execute();
      else {
        const values = { micros: Math.round(rate * MICROS), set_by: principal.name, set_at: clock.now() };
        await trx
          .insertInto('own_exchange_rates')
          .values({ company, currency, ...values })
          .onConflict((conflict) => conflict.columns(['company', 'currency']).doUpdateSet(values))
          .execute();
      }
      return answer(trx, company);
    });
  });
}
