import { z } from 'zod';
import type { HeaderCount } from '#shared/live/components.ts';
import { integerText } from '#shared/values/integer-text.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Principal } from '#platform/http/server.ts';
import { html } from '#platform/live-components/html.ts';
import { defineLiveComponent, type LiveComponent } from '#platform/live-components/live-component.ts';

/** The same interval as the rest of the header (HDR-01). */
const EVERY_MS = 60_000;

export type HeaderCountDeps = {
  database: Database;
  clock: Clock;
  /** The counts, each by the subject that knows it: one cheap query with the caller's rights. */
  headerCounts: readonly ((trx: Trx, principal: Principal, now: Date) => Promise<readonly HeaderCount[]>)[];
};

/** Counts of waiting work in the header of every page, each linked to the page that resolves it. Empty if nothing waits. */
export const headerCounters = ({ database, clock, headerCounts }: HeaderCountDeps): LiveComponent =>
  defineLiveComponent({
    name: 'header-counters',
    version: 1,
    access: 'enter',
    props: z.object({}),
    first: z.object({}),
    get: true,
    poll: { everyMs: EVERY_MS },
    load: (_props, { principal }) =>
      database.company(principal.company, async (trx) => {
        const counts: HeaderCount[] = [];
        for (const count of headerCounts) counts.push(...(await count(trx, principal, clock.now())));
        return counts.filter(({ count }) => count > 0);
      }),
    render: ({ loaded }) =>
      html`${
        loaded.length > 0 &&
        html`<ul class="k-live-chips" aria-label="Zu erledigen">
          ${loaded.map(
            ({ label, count, more, path }) =>
              html`<li>
                <a href="${path}">${label}: <b>${integerText(count)}${more && '+'}</b></a>
              </li>`,
          )}
        </ul>`
      }`,
  });
