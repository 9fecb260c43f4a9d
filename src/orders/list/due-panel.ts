import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { html, type Html } from '#platform/live-components/html.ts';
import { defineLiveComponent, type LiveComponent } from '#platform/live-components/live-component.ts';
import { orderPath } from '#shared/orders/order-path.ts';
import { pages } from '#shared/pages.ts';
import { integerText } from '#shared/values/integer-text.ts';
import { dueByChannel, nextDue, type DueChannel, type DueOrder } from './due-orders.ts';
import { endOfToday } from './end-of-today.ts';

/** Orders listed individually. */
const NAMED = 5;
const EVERY_MS = 20_000;
const time = new Intl.DateTimeFormat('de-DE', { dateStyle: 'short', timeStyle: 'short', timeZone: 'Europe/Berlin' });

const channel = z.string().max(40);

/**
 * 'Heute fällig' above the order list: orders to be shipped today, by channel, and the next ones on demand. A single line until
 * it is opened, since the list below is the main content.
 */
export const duePanel = ({ database, clock }: { database: Database; clock: Clock }): LiveComponent =>
  defineLiveComponent({
    name: 'due-orders',
    version: 1,
    access: 'ship',
    props: z.object({
      channel: channel.default(''),
      overdue: z.boolean().default(false),
      opened: z.boolean().default(false),
    }),
    first: z.object({ channel: channel.catch('') }),
    writable: { channel, overdue: z.boolean() },
    get: true,
    poll: { everyMs: EVERY_MS },
    load: ({ overdue, opened, channel: chosen }, { principal: { company } }) => {
      const now = clock.now();
      const wanted = { now, endOfToday: endOfToday(now), overdue };
      return database.company(company, async (trx) => ({
        now,
        channels: await dueByChannel(trx, company, wanted),
        next: opened ? await nextDue(trx, company, { ...wanted, channel: chosen, most: NAMED }) : [],
      }));
    },
    actions: (declare) => ({
      toggle: declare(z.strictObject({}), async ({ props }) => ({ props: { opened: !props.opened } })),
    }),
    render: ({ props, loaded: { channels, next, now } }) => html`
      <section class="k-live-panel" aria-label="Heute fällig">
        <div class="k-live-head">
          <h2>Heute fällig</h2>
          ${channels.length === 0 && html`<span class="k-muted">${props.overdue ? 'Nichts ist überfällig.' : 'Nichts mehr.'}</span>`}
          ${
            channels.length > 0 &&
            html`<ul class="k-live-chips">
              ${channels.map(channelChip)}
            </ul>`
          }
          <span class="k-live-fill"></span>
          ${(channels.length > 0 || props.overdue) && html`<label><input type="checkbox" data-model="overdue" ${props.overdue && html`checked`} /> Nur überfällige</label>`}
          ${channels.length > 0 && html`<button type="button" data-action="toggle" aria-expanded="${props.opened ? 'true' : 'false'}">Nächste Bestellungen</button>`}
        </div>
        ${props.opened && channels.length > 0 && html`${channelChoice(props.channel, channels)}${nextList(next, channels, now)}`}
      </section>
    `,
  });

const channelChip = ({ id, name, due, overdue }: DueChannel): Html =>
  html`<li>
    <a href="${listPath(id)}"
      >${name}: <b>${integerText(due)}</b>${
        overdue > 0 && html` <span class="k-live-late">(${integerText(overdue)} überfällig)</span>`
      }</a
    >
  </li>`;

const listPath = (id: string): string => `${pages.orders.path}?filter=faellig&kanal=${encodeURIComponent(id)}`;

function channelChoice(chosen: string, channels: readonly DueChannel[]): Html | null {
  const known = chosen === '' || channels.some(({ id }) => id === chosen);
  const choices = [
    { id: '', name: 'Alle Kanäle' },
    ...(known ? [] : [{ id: chosen, name: 'Gewählter Kanal' }]),
    ...channels,
  ];
  if (choices.length <= 2) return null;
  return html`<label
    >Kanal
    <select data-model="channel">
      ${choices.map(({ id, name }) => html`<option value="${id}" ${id === chosen && html`selected`}>${name}</option>`)}
    </select></label
  >`;
}

function nextList(next: readonly DueOrder[], channels: readonly DueChannel[], now: Date): Html {
  if (next.length === 0) return html`<p class="k-muted">Hier ist nichts fällig.</p>`;
  return html`<ol>
    ${next.map(
      (order) =>
        html`<li>
          <a href="${orderPath(order.channel, order.order_id)}">${order.order_id}</a>
          <span class="k-muted">${channels.find(({ id }) => id === order.channel)?.name ?? order.channel_name}</span>
          ${dueText(order.ship_by, now)}
        </li>`,
    )}
  </ol>`;
}

function dueText(shipBy: Date | null, now: Date): Html | null {
  if (shipBy === null) return null;
  return shipBy < now
    ? html`<span class="k-live-late">überfällig seit ${time.format(shipBy)}</span>`
    : html`<span>bis ${time.format(shipBy)}</span>`;
}
