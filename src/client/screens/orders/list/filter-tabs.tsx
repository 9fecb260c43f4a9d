import { Link } from 'react-router';
import { type OrderCounters, type OrderFilter, orderFilters } from '#shared/orders/schema.ts';
import { orderFilterLabels } from '#shared/orders/state-labels.ts';
import pills from '#client/ui/figures/pills.module.css';
import { formatInteger } from '#client/ui/text/formats.ts';
import classes from './list.module.css';

type FilterTabsProps = {
  filter: OrderFilter;
  counters: OrderCounters | null;
  /** Returns the address of the list with a filter. */
  addressOf: (filter: OrderFilter) => string;
};

/** Predefined filters as links: the URL holds the filter, and can be bookmarked or shared. */
export function FilterTabs({ filter, counters, addressOf }: FilterTabsProps) {
  const counts: Partial<Record<OrderFilter, number>> =
    counters === null
      ? {}
      : {
          offen: counters.open,
          faellig: counters.due,
          stornowunsch: counters.cancel_requests,
          klaerung: counters.unclear,
        };
  return (
    <nav className={pills.pills} aria-label="Filter">
      {orderFilters.map((name) => {
        const count = counts[name];
        return (
          <Link
            key={name}
            to={addressOf(name)}
            preventScrollReset
            className={pills.pill}
            aria-current={name === filter ? 'page' : undefined}
            data-urgent={((name === 'klaerung' || name === 'stornowunsch') && (count ?? 0) > 0) || undefined}
          >
            {orderFilterLabels[name]}
            {count !== undefined && <span className={classes.count}>{formatInteger(count)}</span>}
          </Link>
        );
      })}
    </nav>
  );
}
