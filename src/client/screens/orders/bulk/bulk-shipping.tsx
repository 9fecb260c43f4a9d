import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { carriers, type OrderRow } from '#shared/orders/schema.ts';
import { orderKey } from '#client/screens/orders/list/order-words.ts';
import { UnsavedGuard } from '#client/leaving/unsaved-guard.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { useNextFocus } from '#client/ui/focus/use-next-focus.ts';
import { useMissing } from '#client/ui/form/use-missing.tsx';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import { formatCount } from '#client/ui/text/formats.ts';
import classes from './bulk.module.css';
import { missingParcel } from './missing-parcel.ts';
import { notShippable } from './not-shippable.ts';
import { ResultBadge } from './result-badge.tsx';
import { type ParcelResult, type ParcelResults, useShipping } from './use-shipping.ts';

type BulkShippingProps = {
  opened: boolean;
  orders: readonly OrderRow[];
  /** Called with the keys of the orders that were accepted. */
  onDone: (shipped: ReadonlySet<string>) => void;
  onClose: () => void;
};
type Draft = { carrier: string; tracking: string };
const empty: Draft = { carrier: '', tracking: '' };
const choices = [{ value: '', label: 'Bitte wählen' }, ...carriers];

/** Ships the open pieces of each chosen order in one parcel. Typed text that was not sent is kept while the form is closed. */
export function BulkShipping({ opened, orders, onDone, onClose }: BulkShippingProps) {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  const [usual, setUsual] = useState('');
  const { busy, failure, results, send, forget } = useShipping((newest) => onDone(taken(newest)));
  const draftOf = (order: OrderRow): Draft => {
    const draft = drafts.get(orderKey(order)) ?? empty;
    return draft.carrier === '' ? { ...draft, carrier: usual } : draft;
  };
  const change = (order: OrderRow, changed: Partial<Draft>) =>
    setDrafts((now) => new Map(now).set(orderKey(order), { ...empty, ...now.get(orderKey(order)), ...changed }));
  const missing = missingParcel(orders.map((order) => ({ open: notShippable(order) === '', ...draftOf(order) })));
  const { hint, button } = useMissing(missing);
  const { pressed, next } = useNextFocus(!busy && results.size > 0 && missing !== '');
  const ready = orders.flatMap((order) => {
    const { carrier, tracking } = draftOf(order);
    const complete = carrier !== '' && tracking.trim() !== '' && notShippable(order) === '';
    const { orderid, channel } = order;
    return complete ? [{ orderid, channel, carrier, tracking: tracking.trim(), returntracking: '' }] : [];
  });
  // These results do not apply to later parcels: an order may have further pieces to ship.
  const close = () => {
    const done = taken(results);
    setDrafts((now) => new Map([...now].filter(([key]) => !done.has(key))));
    forget();
    onClose();
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (ready.length > 0) void send(ready);
  };
  const unsent = [...drafts].some(([key, { tracking }]) => tracking.trim() !== '' && results.get(key)?.ok !== true);
  return (
    <>
      <UnsavedGuard dirty={unsent} />
      <Modal
        opened={opened}
        onClose={close}
        // Typed numbers and results would disappear with a click beside the dialog, or with a double click as it changes its size.
        closeOnClickOutside={false}
        size="min(860px, 100vw)"
        title={<span className="k-strong">{formatCount(orders.length, 'Bestellung', 'Bestellungen')} versenden</span>}
      >
        <form className="k-stack" onSubmit={submit} noValidate>
          <NativeSelect
            label="Versanddienst für alle ohne eigene Wahl"
            data-autofocus
            value={usual}
            onChange={({ currentTarget }) => setUsual(currentTarget.value)}
            data={choices}
            maw={300}
          />
          <ScrollRegion label="Sendungen" className={classes.scroll ?? ''}>
            <table className={`k-table ${classes.parcels}`}>
              <thead>
                <tr>
                  <th scope="col">Bestellung</th>
                  <th scope="col">Versanddienst</th>
                  <th scope="col">Sendungsnummer</th>
                  <th scope="col">Ergebnis</th>
                </tr>
              </thead>
              <tbody>
                {orders.map((order) => (
                  <ParcelRow
                    key={orderKey(order)}
                    order={order}
                    draft={draftOf(order)}
                    onChange={(changed) => change(order, changed)}
                    result={results.get(orderKey(order))}
                  />
                ))}
              </tbody>
            </table>
          </ScrollRegion>
          <ErrorNotice failure={failure} />
          {hint}
          <div className="k-between">
            <span className="k-muted k-small" role="status">
              {results.size > 0 &&
                `${[...results.values()].filter(({ ok }) => ok).length} von ${results.size} vermerkt.`}
            </span>
            <div className="k-row">
              <Button ref={next} variant="default" onClick={close}>
                Schließen
              </Button>
              <Button ref={pressed} type="submit" loading={busy} {...button}>
                {ready.length === 0 ? 'Versand melden' : `${formatCount(ready.length, 'Sendung', 'Sendungen')} melden`}
              </Button>
            </div>
          </div>
        </form>
      </Modal>
    </>
  );
}

const taken = (results: ParcelResults): ReadonlySet<string> =>
  new Set([...results].filter(([, { ok }]) => ok).map(([key]) => key));

type ParcelRowProps = {
  order: OrderRow;
  draft: Draft;
  onChange: (changed: Partial<Draft>) => void;
  result: ParcelResult | undefined;
};

function ParcelRow({ order, draft, onChange, result }: ParcelRowProps) {
  const { orderid, channel_name: channel, open_pieces: open } = order;
  const refusal = notShippable(order);
  return (
    <tr>
      <th scope="row" className={classes.order}>
        {orderid}
        <span className={classes.second}>
          {channel} · {open === 0 ? 'nichts offen' : formatCount(open, 'Stück offen', 'Stück offen')}
        </span>
      </th>
      <td>
        <NativeSelect
          size="xs"
          className={classes.carrier}
          aria-label={`Versanddienst für ${orderid}`}
          value={draft.carrier}
          disabled={refusal !== ''}
          onChange={({ currentTarget }) => onChange({ carrier: currentTarget.value })}
          data={choices}
        />
      </td>
      <td>
        <TextInput
          size="xs"
          className={classes.tracking}
          aria-label={`Sendungsnummer für ${orderid}`}
          placeholder="Sendungsnummer"
          maxLength={100}
          autoComplete="off"
          value={draft.tracking}
          disabled={refusal !== ''}
          onChange={({ currentTarget }) => onChange({ tracking: currentTarget.value })}
        />
      </td>
      <td className={classes.result}>
        {result !== undefined && <ResultBadge result={result} />}
        {/* Nothing was wrong with an order that is already shipped: its line above says that nothing is open. */}
        {result === undefined && refusal !== '' && open > 0 && <ResultBadge result={{ ok: false, message: refusal }} />}
      </td>
    </tr>
  );
}
