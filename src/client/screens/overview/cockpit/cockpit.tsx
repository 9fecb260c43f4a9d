import IconAlertTriangle from 'virtual:icons/alert-triangle';
import IconArrowDownRight from 'virtual:icons/arrow-down-right';
import IconArrowUpRight from 'virtual:icons/arrow-up-right';
import IconCheck from 'virtual:icons/check';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Export } from '#shared/exports/schema.ts';
import { pages } from '#shared/pages.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { pathTo } from '#client/address.ts';
import { comparedWords } from '#client/ui/text/days.ts';
import figureClasses from '#client/ui/figures/figures.module.css';
import { formatClock, formatCount, formatInteger, formatPercent, formatShare } from '#client/ui/text/formats.ts';
import classes from './cockpit.module.css';
import { readyOf } from './ready.ts';
import type { Sales, Trend } from './sales.ts';
import { Sparkline } from './sparkline.tsx';

type CockpitProps = { sales: Sales | null; exports: readonly Export[]; at: string };

/** Four key figures of the business; each links to the screen behind it. */
export function Cockpit({ sales: known, exports, at }: CockpitProps) {
  const ready = readyOf(exports);
  // Before the first sale, zeros would say nothing.
  const sales = known !== null && known.orders.now + known.orders.before + known.waiting.open > 0 ? known : null;
  if (sales === null && ready === null) return null;
  return (
    <section aria-label="Kennzahlen">
      <ul className={`${figureClasses.figures} ${classes.cards}`}>
        {sales !== null && (
          <>
            <TrendCard label="Umsatz, 30 Tage" trend={sales.revenue} format={moneyText} />
            <TrendCard label="Bestellungen, 30 Tage" trend={sales.orders} format={formatInteger} />
            <DueCard waiting={sales.waiting} />
          </>
        )}
        {ready !== null && (
          <Card
            to={pathTo(pages.diagnosis, { id: ready.worst.id })}
            label="Bereit für die Kanäle"
            value={formatShare(ready.share)}
          >
            {ready.errors === 0 ? (
              <More tone="good">
                <IconCheck size={16} aria-hidden /> kein Artikel mit Fehlern
              </More>
            ) : (
              <More tone="bad">
                <IconAlertTriangle size={16} aria-hidden />
                {formatCount(ready.errors, 'Artikel', 'Artikel')} mit Fehlern, die meisten in „{ready.worst.name}“
              </More>
            )}
          </Card>
        )}
      </ul>
      <p className={`k-muted k-small ${classes.stand}`}>
        {sales !== null && `${comparedWords(sales.compared, true)} Umsatz nur in Euro. `}
        Stand {formatClock(at)}.
      </p>
    </section>
  );
}

type CardProps = { to: string; label: string; value: string; children: ReactNode };

function Card({ to, label, value, children }: CardProps) {
  return (
    <li>
      <Link to={to} className={`${figureClasses.figure} ${classes.card}`}>
        <span className={figureClasses.label}>{label}</span>
        <span className={figureClasses.value}>{value}</span>
        {children}
      </Link>
    </li>
  );
}

function More({ tone, children }: { tone?: 'good' | 'bad' | undefined; children: ReactNode }) {
  return (
    <span className={classes.more} data-tone={tone}>
      {children}
    </span>
  );
}

type TrendCardProps = { label: string; trend: Trend; format: (value: number) => string };

function TrendCard({ label, trend: { now, over, before, days }, format }: TrendCardProps) {
  const change = before === 0 ? null : over / before - 1;
  const Arrow = change !== null && change < 0 ? IconArrowDownRight : IconArrowUpRight;
  return (
    <Card to={pages.orderStatistic.path} label={label} value={format(now)}>
      <Sparkline days={days} />
      <More tone={change === null || change === 0 ? undefined : change < 0 ? 'bad' : 'good'}>
        {change !== null && change !== 0 && <Arrow size={16} stroke={2} aria-hidden />}
        {change === null
          ? 'kein Vergleich'
          : change === 0
            ? 'unverändert'
            : `${change > 0 ? '+' : ''}${formatPercent(change)}`}
        {before !== 0 && (
          <span className="k-muted">
            {' '}
            (bis gestern {format(over)}, davor {format(before)})
          </span>
        )}
      </More>
    </Card>
  );
}

function DueCard({ waiting: { due, overdue, open } }: { waiting: Sales['waiting'] }) {
  return (
    <Card to={`${pages.orders.path}?filter=faellig`} label="Heute zu versenden" value={formatInteger(due)}>
      <More tone={overdue > 0 ? 'bad' : 'good'}>
        {overdue > 0 ? <IconAlertTriangle size={16} aria-hidden /> : <IconCheck size={16} aria-hidden />}
        {overdue > 0 ? `davon ${formatInteger(overdue)} überfällig` : 'nichts überfällig'}
      </More>
      <More>
        <span className="k-muted">{formatCount(open, 'Bestellung', 'Bestellungen')} offen</span>
      </More>
    </Card>
  );
}
