import { Link } from 'react-router';
import { type OrderCounters, type OrderFilter, orderFilters } from '#shared/orders/schema.ts';
import pills from '#client/ui/figures/pills.module.css';
import { formatInteger } from '#client/ui/text/formats.ts';
import classes from './list.module.css';
import { filterLabels } from './order-words.ts';

type FilterTabsProps = {
  filter: OrderFilter;
  counters: OrderCounters | null;
  /** How many the current filter shows, where it says all. */
  addressOf: (filter: OrderFilter) => string;
};

/** Saved filters as links: the address holds what is shown, and can be kept or sent on. */
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
            {filterLabels[name]}
            {count !== undefined && <span className={classes.count}>{formatInteger(count)}</span>}
          </Link>
        );
      })}
    </nav>
  );
}
