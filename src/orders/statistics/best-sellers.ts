import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { html, type Html } from '#platform/live-components/html.ts';
import { defineLiveComponent, type LiveComponent } from '#platform/live-components/live-component.ts';
import { encodeSegment } from '#shared/http/path-segment.ts';
import { integerText } from '#shared/values/integer-text.ts';

const DAYS = 30;
const MOST = 5;
const DAY_MS = 86_400_000;

type BestSeller = { sku: string; title: string; master: string | null; item: string | null; pieces: number };

/**
 * The best-selling articles at the end of the overview. It reads all lines of the month and few users scroll that far, so it is
 * loaded only when about to become visible.
 */
export const bestSellers = ({ database, clock }: { database: Database; clock: Clock }): LiveComponent =>
  defineLiveComponent({
    name: 'best-sellers',
    version: 1,
    access: 'orders',
    props: z.object({}),
    first: z.object({}),
    get: true,
    loading: { when: 'lazy', placeholder: panel(html`<p class="k-muted">Wird geladen …</p>`) },
    load: (_props, { principal: { company } }) =>
      database.company(company, (trx) => soldSince(trx, company, new Date(clock.now().getTime() - DAYS * DAY_MS))),
    render: ({ loaded }) =>
      panel(
        loaded.length === 0
          ? html`<p class="k-muted">Noch nichts verkauft.</p>`
          : html`<ol>
              ${loaded.map(line)}
            </ol>`,
      ),
  });

const panel = (content: Html): Html =>
  html`<section class="k-live-ranking" aria-label="Meistverkauft, ${DAYS} Tage">
    <h2>Meistverkauft, ${DAYS} Tage</h2>
    ${content}
  </section>`;

function line({ sku, title, master, item, pieces }: BestSeller): Html {
  const name = title === '' ? sku : title;
  return html`<li>
    ${
      master === null || item === null
        ? html`<span>${name}</span>`
        : html`<a href="${`/master/${encodeSegment(master)}/artikel/${encodeSegment(item)}`}">${name}</a>`
    }
    <span class="k-muted">${sku}</span>
    <b>${integerText(pieces)} Stück</b>
  </li>`;
}

/** Returns the pieces sold: cancelled ones are subtracted, returned ones count, as in the statistic. */
async function soldSince(trx: Trx, company: string, since: Date): Promise<BestSeller[]> {
  return trx
    .selectFrom('order_lines')
    .select(['sku', 'master', 'item'])
    .select(({ fn }) => fn.max('title').as('title'))
    .select((eb) => eb.cast<number>(eb.fn.sum(eb('ordered', '-', eb.ref('cancelled'))), 'integer').as('pieces'))
    .where('company', '=', company)
    .where('placed_at', '>=', since)
    .whereRef('ordered', '>', 'cancelled')
    .groupBy(['sku', 'master', 'item'])
    .orderBy('pieces', 'desc')
    .orderBy('sku')
    .limit(MOST)
    .execute();
}
