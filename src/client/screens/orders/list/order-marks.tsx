import IconAlertTriangle from 'virtual:icons/alert-triangle';
import IconClock from 'virtual:icons/clock';
import type { OrderRow } from '#shared/orders/schema.ts';
import { Badge } from '#client/ui/badge.tsx';
import { formatShortTime, formatTime } from '#client/ui/text/formats.ts';
import { dueMark, marksOf } from './order-words.ts';

/** The state of an order, with pending decisions first. */
export function OrderMarks({ order }: { order: OrderRow }) {
  return (
    <>
      {marksOf(order).map(({ tone, text }) => (
        <Badge key={text} tone={tone} {...(tone === 'red' || tone === 'yellow' ? { icon: IconAlertTriangle } : {})}>
          {text}
        </Badge>
      ))}
      {order.fulfilled_by === 'marketplace' && <Badge tone="gray">Versand durch Marktplatz</Badge>}
    </>
  );
}

/** Time left to ship; if nothing is left to ship, when it was shipped. `now`: in milliseconds. */
export function DueTime({ order, now }: { order: OrderRow; now: number }) {
  const due = dueMark(order, now);
  if (due === null || order.ship_by === null)
    return order.shipped_at === null ? (
      <span className="k-muted">–</span>
    ) : (
      <span title={`Versandt ${formatTime(order.shipped_at)}`}>versandt {formatShortTime(order.shipped_at)}</span>
    );
  return (
    <span title={`Zu versenden bis ${formatTime(order.ship_by)}`}>
      <Badge tone={due.tone} icon={due.tone === 'red' ? IconAlertTriangle : IconClock}>
        {due.text}
      </Badge>
    </span>
  );
}
