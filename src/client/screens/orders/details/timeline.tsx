import type { OrderEvent } from '#shared/orders/schema.ts';
import { formatTime } from '#client/ui/text/formats.ts';
import classes from './details.module.css';

const sources = {
  message: 'Nachricht des Marktplatzes',
  poll: 'Abruf beim Marktplatz',
  call: 'Schnittstelle',
  file: 'Datei',
  user: '',
  action: 'Antwort des Marktplatzes',
} as const;

/** The events of an order, newest first. */
export function Timeline({ events }: { events: readonly OrderEvent[] }) {
  return (
    <ol className={classes.timeline}>
      {events.map(({ id, at, text, source, author }) => (
        <li key={id} className={classes.moment}>
          <time dateTime={at}>{formatTime(at)}</time>
          <span>
            {text}
            <span className={classes.from}>
              {[sources[source], author].filter((part) => part !== '' && part !== source).join(', ')}
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}
