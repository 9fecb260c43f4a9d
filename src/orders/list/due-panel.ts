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

/** Orders that are named one by one. */
const NAMED = 5;
const EVERY_MS = 20_000;
const time = new Intl.DateTimeFormat('de-DE', { dateStyle: 'short', timeStyle: 'short', timeZone: 'Europe/Berlin' });

const channel = z.string().max(40);

/** 'Heute fällig' above the order list: what has to leave the house today, by channel, and what next. */
export const duePanel = ({ database, clock }: { database: Database; clock: Clock }): LiveComponent =>
  defineLiveComponent({
    name: 'due-orders',
    version: 1,
    access: 'orders',
    props: z.object({ channel: channel.default(''), overdue: z.boolean().default(false) }),
    first: z.object({ channel: channel.catch('') }),
    writable: { channel, overdue: z.boolean() },
    get: true,
    poll: { everyMs: EVERY_MS },
    load: ({ overdue, channel: chosen }, { principal: { company } }) => {
      const now = clock.now();
      const wanted = { now, endOfToday: endOfToday(now), overdue };
      return database.company(company, async (trx) => ({
        now,
        channels: await dueByChannel(trx, company, wanted),
        next: await nextDue(trx, company, { ...wanted, channel: chosen, most: NAMED }),
      }));
    },
    render: ({ props, loaded: { channels, next, now } }) => html`
      <section class="k-live-panel" aria-label="Heute fällig">
        <div class="k-live-head">
          <h2>Heute fällig</h2>
          ${controls(props, channels)}
        </div>
        ${
          channels.length === 0
            ? html`<p class="k-muted">
                ${props.overdue ? 'Nichts ist überfällig.' : 'Heute ist nichts mehr zu versenden.'}
              </p>`
            : html`<div class="k-live-columns">${channelTable(channels)}${nextList(next, now)}</div>`
        }
      </section>
    `,
  });

function controls(props: { channel: string; overdue: boolean }, channels: readonly DueChannel[]): Html {
  const known = channels.some(({ id }) => id === props.channel);
  const choices = [
    { id: '', name: 'Alle Kanäle' },
    ...(known || props.channel === '' ? [] : [{ id: props.channel, name: 'Gewählter Kanal' }]),
    ...channels,
  ];
  return html`
    <label><input type="checkbox" data-model="overdue" ${props.overdue && html`checked`} /> Nur überfällige</label>
    ${
      choices.length > 2 &&
      html`<label
        >Kanal
        <select data-model="channel">
          ${choices.map(
            ({ id, name }) => html`<option value="${id}" ${id === props.channel && html`selected`}>${name}</option>`,
          )}
        </select></label
      >`
    }
  `;
}

const listPath = (id: string): string =>
  `${pages.orders.path}?filter=faellig${id === '' ? '' : `&kanal=${encodeURIComponent(id)}`}`;

const channelTable = (channels: readonly DueChannel[]): Html => html`
  <table>
    <thead>
      <tr>
        <th scope="col">Kanal</th>
        <th scope="col">Fällig</th>
        <th scope="col">davon überfällig</th>
      </tr>
    </thead>
    <tbody>
      ${channels.map(
        ({ id, name, due, overdue }) =>
          html`<tr>
            <th scope="row"><a href="${listPath(id)}">${name}</a></th>
            <td>${integerText(due)}</td>
            <td ${overdue > 0 && html`class="k-live-late"`}>${integerText(overdue)}</td>
          </tr>`,
      )}
    </tbody>
  </table>
`;

const nextList = (next: readonly DueOrder[], now: Date): Html => html`
  <div>
    <h3>Als Nächstes versenden</h3>
    ${next.length === 0 && html`<p class="k-muted">In diesem Kanal ist nichts fällig.</p>`}
    <ol>
      ${next.map(
        (order) =>
          html`<li>
            <a href="${orderPath(order.channel, order.order_id)}">${order.order_id}</a>
            <span class="k-muted">${order.channel_name}</span> ${dueText(order.ship_by, now)}
          </li>`,
      )}
    </ol>
  </div>
`;

function dueText(shipBy: Date | null, now: Date): Html | null {
  if (shipBy === null) return null;
  return shipBy < now
    ? html`<span class="k-live-late">überfällig seit ${time.format(shipBy)}</span>`
    : html`<span>bis ${time.format(shipBy)}</span>`;
}
