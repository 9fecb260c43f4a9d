import { api } from '#shared/http/api.ts';
import { type Ask, CallError } from '#client/call.ts';
import { berlinDay } from '#client/ui/text/days.ts';
import { type Sales, salesOf, salesRanges } from './sales.ts';

/**
 * `failure`: message if the figures could not be loaded. It and `sales` are null if the user may not see orders. `bestSellers`:
 * the HTML of a live component, '' without figures.
 */
export type LoadedSales = { sales: Sales | null; failure: string | null; bestSellers: string };

/** For users who may not see orders; requesting the figures anyway would log a refusal in the security log. */
export const NO_SALES: LoadedSales = { sales: null, failure: null, bestSellers: '' };

/** Loads the order figures. The overview works without them, so only a lost session is thrown. */
export async function loadSales(ask: Ask, now: Date): Promise<LoadedSales> {
  const today = berlinDay(now);
  const { earlier } = salesRanges(today);
  try {
    const [rows, waiting, due] = await Promise.all([
      ask(api.orderStatistic, { body: { start: earlier.start, end: today } }),
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
