import IconArrowDownRight from 'virtual:icons/arrow-down-right';
import IconArrowUpRight from 'virtual:icons/arrow-up-right';
import type { ReactNode } from 'react';
import { comparedWords, isSameRange } from '#client/ui/text/days.ts';
import { moneyText } from '#shared/values/money-text.ts';
import figureClasses from '#client/ui/figures/figures.module.css';
import { formatInteger, formatPercent } from '#client/ui/text/formats.ts';
import { changeOf, type Sums } from './statistic-table.ts';
import classes from './statistic.module.css';
import type { Statistic } from './use-statistic.ts';

/** The sums of the range, each compared with those of the days before. */
export function Figures({ statistic: { table, compared } }: { statistic: Statistic }) {
  const partly = typeof compared === 'object' && !isSameRange(compared.over, table.range);
  const figure = (label: string, value: (sums: Sums) => number, format: (value: number) => string) => (
    <Figure label={label} value={format(value(table.total))}>
      {typeof compared === 'string' ? (
        <dd className={`k-muted ${classes.change}`}>{compared === 'failed' ? 'kein Vergleich' : 'Tag läuft noch'}</dd>
      ) : (
        <Change now={value(compared.now)} before={value(compared.before)} format={format} partly={partly} />
      )}
    </Figure>
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
        {compared === 'failed' && 'Der Zeitraum davor konnte nicht geladen werden.'}
        {compared === 'not-over' && 'Verglichen werden nur volle Tage; von diesem Zeitraum ist noch keiner vorbei.'}
        {typeof compared === 'object' && comparedWords(compared, partly)}
      </p>
    </div>
  );
}

function Figure({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  return (
    <div className={figureClasses.figure}>
      <dt className={figureClasses.label}>{label}</dt>
      <dd className={figureClasses.value}>{value}</dd>
      {children}
    </div>
  );
}

type ChangeProps = { now: number; before: number; partly: boolean; format: (value: number) => string };

/** `partly`: today is left out on both sides. */
function Change({ now, before, partly, format }: ChangeProps) {
  const change = changeOf(now, before);
  const Arrow = change !== null && change < 0 ? IconArrowDownRight : IconArrowUpRight;
  return (
    <dd
      className={classes.change}
      data-change={change === null || change === 0 ? undefined : change < 0 ? 'less' : 'more'}
    >
      {change !== null && change !== 0 && <Arrow size={16} stroke={2} aria-hidden />}
      {changeWords(change)}
      <span className="k-muted">
        {' '}
        ({partly && `bis gestern ${format(now)}, `}davor {format(before)})
      </span>
    </dd>
  );
}

function changeWords(change: number | null): string {
  if (change === null) return 'kein Vergleich';
  if (change === 0) return 'unverändert';
  return `${change > 0 ? '+' : ''}${formatPercent(change)}`;
}
