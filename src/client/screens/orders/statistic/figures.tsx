import IconArrowDownRight from 'virtual:icons/arrow-down-right';
import IconArrowUpRight from 'virtual:icons/arrow-up-right';
import { formatRange } from '#client/ui/text/days.ts';
import { moneyText } from '#shared/values/money-text.ts';
import figureClasses from '#client/ui/figures/figures.module.css';
import { formatInteger, formatPercent } from '#client/ui/text/formats.ts';
import { changeOf, type Sums } from './statistic-table.ts';
import classes from './statistic.module.css';
import type { Statistic } from './use-statistic.ts';

/** The sums of the range, each compared with those of the range before. */
export function Figures({ statistic: { table, before } }: { statistic: Statistic }) {
  const figure = (label: string, value: (sums: Sums) => number, format: (value: number) => string) => (
    <Figure
      label={label}
      now={value(table.total)}
      before={before === null ? null : value(before.sums)}
      format={format}
    />
  );
  return (
    <div>
      <dl className={`${figureClasses.figures} ${classes.figures}`} aria-label="Summen des Zeitraums">
        {figure(
          'Umsatz',
          ({ cents }) => cents,
          (cents) => moneyText(cents),
        )}
        {figure(
          'Menge',
          ({ pieces }) => pieces,
          (value) => `${formatInteger(value)}\u00a0Stück`,
        )}
        {figure('Bestellungen', ({ orders }) => orders, formatInteger)}
      </dl>
      <p className="k-muted k-small">
        {before === null
          ? 'Der Zeitraum davor konnte nicht geladen werden.'
          : `Verglichen mit dem Zeitraum davor: ${formatRange(before.range)}.`}
      </p>
    </div>
  );
}

type FigureProps = { label: string; now: number; before: number | null; format: (value: number) => string };

function Figure({ label, now, before, format }: FigureProps) {
  const change = before === null ? null : changeOf(now, before);
  const Arrow = change !== null && change < 0 ? IconArrowDownRight : IconArrowUpRight;
  return (
    <div className={figureClasses.figure}>
      <dt className={figureClasses.label}>{label}</dt>
      <dd className={figureClasses.value}>{format(now)}</dd>
      <dd
        className={classes.change}
        data-change={change === null || change === 0 ? undefined : change < 0 ? 'less' : 'more'}
      >
        {change !== null && change !== 0 && <Arrow size={16} stroke={2} aria-hidden />}
        {changeWords(change)}
        {before !== null && <span className="k-muted"> (davor {format(before)})</span>}
      </dd>
    </div>
  );
}

function changeWords(change: number | null): string {
  if (change === null) return 'kein Vergleich';
  if (change === 0) return 'unverändert';
  return `${change > 0 ? '+' : ''}${formatPercent(change)}`;
}
