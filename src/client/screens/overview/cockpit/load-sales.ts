import { api } from '#shared/http/api.ts';
import { type Ask, CallError } from '#client/call.ts';
import { addDays, berlinDay } from '#client/ui/text/days.ts';
import { type Sales, SALES_DAYS, salesOf } from './sales.ts';

/**
 * `failure`: what to say where the figures could not be loaded; both null where orders are not for whoever looks. `bestSellers`: the
 * place of a live component, '' where there are no figures.
 */
export type LoadedSales = { sales: Sales | null; failure: string | null; bestSellers: string };

/** Of whoever may not see orders; to ask all the same would be a refusal in the security log. */
export const NO_SALES: LoadedSales = { sales: null, failure: null, bestSellers: '' };

/** The overview stands without these figures, too: only a lost session ends it. */
export async function loadSales(ask: Ask, now: Date): Promise<LoadedSales> {
  const today = berlinDay(now);
  try {
    const [rows, waiting, due] = await Promise.all([
      ask(api.orderStatistic, { body: { start: addDays(today, 1 - 2 * SALES_DAYS), end: today } }),
      ask(api.orderCounters),
      ask(api.orders, { query: { filter: 'faellig', limit: 100 } }),
    ]);
    const { html: bestSellers } = await ask(api.liveComponentFirst, {
      params: { component: 'best-sellers' },
      query: {},
    });
    return { sales: salesOf(rows, waiting, due.rows, { today, now }), failure: null, bestSellers };
  } catch (error) {
    if (!(error instanceof CallError) || error.status === 401) throw error;
    return { sales: null, failure: error.message, bestSellers: '' };
  }
}
