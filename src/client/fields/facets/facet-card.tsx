import { Loader } from '@mantine/core';
import IconX from 'virtual:icons/x';
import { type ReactNode, useId, useState } from 'react';
import type { Facet, FacetBar, FacetValue } from '#shared/items/facets.ts';
import type { ItemFilter } from '#shared/items/schema.ts';
import type { Live } from '#client/use-live.ts';
import { formatDecimal, formatInteger, formatShare } from '#client/ui/text/formats.ts';
import { isActive, isNamed, namedValues, type Side, toggleFilter, toggleValue } from './facet-filters.ts';
import classes from './facets.module.css';

type Filters = readonly ItemFilter[];
export type FacetCardProps = {
  field: string;
  title: string;
  facet: Live<Facet>;
  filters: Filters;
  /** undefined: the maximum number of filters would be exceeded. */
  onFilters: (filters: Filters | undefined) => void;
  onClose: () => void;
};

/** Values that are shown before the user expands the list. */
const SHOWN = 8;

/** Statistics of one field's values; each figure is a filter. */
export function FacetCard({ field, title, facet, filters, onFilters, onClose }: FacetCardProps) {
  const { answer, busy, failure, retry } = facet;
  const headingId = useId();
  return (
    <section className={classes.card} aria-labelledby={headingId} aria-busy={busy}>
      <div className={classes.head}>
        <h2 id={headingId}>{title}</h2>
        {busy && <Loader size={14} role="img" aria-label="wird gezählt" />}
        <button type="button" className={classes.icon} aria-label={`Facette ${title} schließen`} onClick={onClose}>
          <IconX size={14} aria-hidden />
        </button>
      </div>
      {failure !== null && (
        <p className={classes.failure} role="alert">
          {failure.message}{' '}
          <button type="button" className={classes.more} onClick={retry}>
            Erneut versuchen
          </button>
        </p>
      )}
      {answer === null ? (
        failure === null && <div className={classes.waiting} aria-hidden />
      ) : (
        <div data-stale={busy || undefined} className={classes.body}>
          <Figures facet={answer} />
          <Findings field={field} title={title} facet={answer} filters={filters} onFilters={onFilters} />
          {answer.histogram !== null && answer.histogram.length > 1 && (
            <Histogram field={field} bars={answer.histogram} filters={filters} onFilters={onFilters} />
          )}
          <Values field={field} title={title} facet={answer} filters={filters} onFilters={onFilters} />
        </div>
      )}
    </section>
  );
}

function Figures({ facet: { items, filled, distinct, lengths } }: { facet: Facet }) {
  if (items === 0) return <p className="k-muted k-small">Kein Artikel passt zu den anderen Filtern.</p>;
  return (
    <p className="k-muted k-small">
      {formatShare(filled / items)} gefüllt · {formatInteger(distinct)} {distinct === 1 ? 'Wert' : 'verschiedene Werte'}
      {lengths !== null && (
        <>
          {' '}
          ·{' '}
          {lengths.shortest === lengths.longest
            ? formatInteger(lengths.shortest)
            : `${formatInteger(lengths.shortest)} bis ${formatInteger(lengths.longest)}`}{' '}
          Zeichen
        </>
      )}
    </p>
  );
}

type PartProps = Pick<FacetCardProps, 'field' | 'filters' | 'onFilters'>;

/** Missing, duplicate and unusual data: one click shows the items. */
function Findings({ field, title, facet, filters, onFilters }: PartProps & { facet: Facet; title: string }) {
  const { items, filled, duplicates, unusuallyLong } = facet;
  const findings = [
    { words: 'leer', items: items - filled, filter: { field, mode: 'is_empty', value: '' } as const },
    { words: 'doppelt', items: duplicates, filter: { field, mode: 'is_duplicate', value: '' } as const },
    {
      words: `auffällig lang, über ${formatInteger(unusuallyLong?.over ?? 0)} Zeichen`,
      items: unusuallyLong?.items ?? 0,
      filter: { field, mode: 'length_exceeds', value: String(unusuallyLong?.over ?? 0) } as const,
    },
  ];
  // An active filter must be removable even if other filters leave none of its items.
  const shown = findings.filter((one) => one.items > 0 || isActive(filters, one.filter));
  if (shown.length === 0) return null;
  return (
    <ul className={classes.findings} aria-label={`Auffälliges in ${title}`}>
      {shown.map((one) => (
        <li key={one.filter.mode}>
          <button
            type="button"
            className={classes.finding}
            aria-pressed={isActive(filters, one.filter)}
            onClick={() => onFilters(toggleFilter(filters, one.filter))}
          >
            {one.words} <b>{formatInteger(one.items)}</b>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Converts 1234.5 to the German 1234,5, which filters parse as well. */
const german = (decimal: string): string => decimal.replace('.', ',');

function Histogram({ field, bars, filters, onFilters }: PartProps & { bars: readonly FacetBar[] }) {
  const most = Math.max(...bars.map(({ items }) => items));
  return (
    <ul className={classes.rows} aria-label="Verteilung der Zahlen">
      {bars.map(({ from, to, items }) => {
        const filter: ItemFilter = { field, mode: 'between', value: german(from), to: german(to) };
        const [low, high] = [formatDecimal(Number(from)), formatDecimal(Number(to))];
        return (
          <Row key={from} share={items / most} items={items}>
            <button
              type="button"
              className={classes.value}
              aria-pressed={isActive(filters, filter)}
              onClick={() => onFilters(toggleFilter(filters, filter))}
            >
              {low === high ? low : `${low} bis ${high}`}
            </button>
          </Row>
        );
      })}
    </ul>
  );
}

/** The most frequent values; values in filters are always shown, so that they can be removed. */
function Values({ field, title, facet, filters, onFilters }: PartProps & { facet: Facet; title: string }) {
  const [all, setAll] = useState(false);
  const named = { only: namedValues(filters, field, 'only'), without: namedValues(filters, field, 'without') };
  const elsewhere = [...named.only, ...named.without]
    .filter((value) => !facet.values.some((one) => one.value.toLowerCase() === value.toLowerCase()))
    .map((value): FacetValue => ({ value, whole: true, items: 0 }));
  // If all values differ, a list says nothing; the first three serve as examples.
  const limit = all ? facet.values.length : facet.values[0]?.items === 1 ? 3 : SHOWN;
  const shown = [
    ...facet.values.filter(
      ({ value }, at) => at < limit || isNamed(named.only, value) || isNamed(named.without, value),
    ),
    ...elsewhere,
  ];
  const most = Math.max(1, ...facet.values.map(({ items }) => items));
  const toggle = (value: string, side: Side) => onFilters(toggleValue(filters, field, value, side));
  if (shown.length === 0) return null;
  return (
    <>
      <ul className={classes.rows} aria-label={`Häufigste Werte von ${title}`}>
        {shown.map(({ value, whole, items }) => (
          <Row key={value} share={items / most} items={items > 0 ? items : null}>
            <button
              type="button"
              className={classes.value}
              aria-pressed={isNamed(named.only, value)}
              disabled={!whole}
              title={whole ? value : 'Der Wert ist für einen Filter zu lang.'}
              onClick={() => toggle(value, 'only')}
            >
              {value}
            </button>
            <button
              type="button"
              className={classes.not}
              aria-pressed={isNamed(named.without, value)}
              aria-label={`nicht ${value.slice(0, 100)}`}
              disabled={!whole}
              onClick={() => toggle(value, 'without')}
            >
              nicht
            </button>
          </Row>
        ))}
      </ul>
      {facet.values.length > limit && (
        <button type="button" className={classes.more} onClick={() => setAll(true)}>
          {facet.distinct > facet.values.length
            ? `Die häufigsten ${facet.values.length} zeigen`
            : `Alle ${facet.values.length} zeigen`}
        </button>
      )}
    </>
  );
}

/** A line with its count and a bar of proportional length below. */
function Row({ share, items, children }: { share: number; items: number | null; children: ReactNode }) {
  return (
    <li className={classes.row}>
      <div className={classes.line}>
        {children}
        <span className={classes.count}>{items === null ? '' : formatInteger(items)}</span>
      </div>
      <div className={classes.track} aria-hidden>
        <div className={classes.bar} style={{ width: `${share * 100}%` }} />
      </div>
    </li>
  );
}
