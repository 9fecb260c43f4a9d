import { Loader, Modal } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { api } from '#shared/http/api.ts';
import { orderPath } from '#shared/orders/order-path.ts';
import type { StockChannelName, StockReason } from '#shared/stock/schema.ts';
import { call, CallError } from '#client/call.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatCount, formatTime } from '#client/ui/text/formats.ts';
import classes from './stock.module.css';

type ReasonDialogProps = {
  masterid: string;
  /** null: closed. */
  item: string | null;
  channels: readonly StockChannelName[];
  onClose: () => void;
};

/** „Warum diese Zahl?“: every step as a sentence, with the orders that reserve pieces. */
export function ReasonDialog({ masterid, item, channels, onClose }: ReasonDialogProps) {
  const { reason, failure, ask } = useReason(masterid, item);
  return (
    <Modal
      opened={item !== null}
      onClose={onClose}
      size="lg"
      title={<span className="k-strong">Warum diese Zahl? Artikel {item}</span>}
    >
      <div className="k-stack" aria-live="polite">
        <ErrorNotice failure={failure === '' ? null : { title: 'Fehler beim Laden', message: failure }} onRetry={ask} />
        {reason === null && failure === '' && <Loader aria-label="Lade Erklärung" />}
        {reason !== null && <ReasonSentences reason={reason} channels={channels} />}
      </div>
    </Modal>
  );
}

function useReason(masterid: string, item: string | null) {
  const [reason, setReason] = useState<StockReason | null>(null);
  const [failure, setFailure] = useState('');
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    setReason(null);
    setFailure('');
    if (item === null) return undefined;
    const stop = new AbortController();
    call(api.stockReason, { params: { masterid, itemid: item }, signal: stop.signal }).then(
      setReason,
      (error: unknown) => {
        if (!stop.signal.aborted) setFailure(error instanceof CallError ? error.message : 'Unbekannter Fehler');
      },
    );
    return () => stop.abort();
  }, [masterid, item, attempt]);
  return { reason, failure, ask: () => setAttempt((count) => count + 1) };
}

function ReasonSentences({
  reason: { steps, orders, more_orders: more, channels: channelReasons },
  channels,
}: {
  reason: StockReason;
  channels: readonly StockChannelName[];
}) {
  return (
    <>
      <ol className={classes.steps}>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {orders.length > 0 && (
        <section aria-labelledby="reserviert">
          <h3 id="reserviert">Diese Bestellungen reservieren</h3>
          <ul className={classes.steps}>
            {orders.map((order) => (
              <li key={`${order.channel} ${order.orderid}`}>
                <Link to={orderPath(order.channel, order.orderid)}>{order.orderid}</Link>: {words(order)}
              </li>
            ))}
          </ul>
          {more > 0 && <p className="k-muted">und {formatCount(more, 'weitere Bestellung', 'weitere Bestellungen')}</p>}
        </section>
      )}
      {channelReasons.map(({ channel, sentences }) => (
        <section key={channel} aria-label={channels.find(({ id }) => id === channel)?.name ?? channel}>
          <h3>{channels.find(({ id }) => id === channel)?.name ?? channel}</h3>
          <ol className={classes.steps}>
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

/** Describes a reserving order: „2 Stück offen, Laden, 23.11.2026, 07:10“ */
function words({ open, left, pending, channel_name: channel, placed_at: at }: StockReason['orders'][number]): string {
  const parts = [
    ...(open > 0 ? [`${open} Stück offen${pending ? ' (noch nicht freigegeben)' : ''}`] : []),
    ...(left > 0 ? [`${left} Stück seit der Datei versandt`] : []),
    channel,
    formatTime(at),
  ];
  return parts.join(', ');
}
