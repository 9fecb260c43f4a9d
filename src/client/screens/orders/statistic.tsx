import { ActionIcon, Button } from '@mantine/core';
import IconDownload from 'virtual:icons/download';
import IconRefresh from 'virtual:icons/refresh';
import { useCallback, useMemo } from 'react';
import { data, type LoaderFunctionArgs, useLoaderData, useSearchParams } from 'react-router';
import { rolesWith } from '#shared/account/roles.ts';
import { api } from '#shared/http/api.ts';
import { MOST_DAYS } from '#shared/values/day-range.ts';
import { csvOfCells, downloadText } from '#client/csv-download.ts';
import { asking, type PageFailure } from '#client/loading.ts';
import { PrintHead } from '#client/shell/print-head.tsx';
import type { ChartSeries } from '#client/ui/charts/chart-series.ts';
import { LineChart } from '#client/ui/charts/line-chart.tsx';
import { RangePicker } from '#client/ui/form/range-picker.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import {
  berlinDay,
  dayCount,
  type DayRange,
  formatRange,
  formatWeekday,
  isDay,
  last30Days,
  presetOf,
  rangePresets,
} from '#client/ui/text/days.ts';
import { useToday } from '#client/ui/text/use-today.ts';
import { formatClock, formatCount, formatInteger } from '#client/ui/text/formats.ts';
import { DayTable } from './statistic/day-table.tsx';
import { OtherCurrencies } from './statistic/other-currencies.tsx';
import { Figures } from './statistic/figures.tsx';
import { statisticCells, type StatisticTable, type Sums } from './statistic/statistic-table.ts';
import classes from './statistic/statistic.module.css';
import { type Statistic, useStatistic } from './statistic/use-statistic.ts';

export async function loader(args: LoaderFunctionArgs) {
  const { permissions } = await asking(args)(api.session);
  if (!permissions.includes('orders')) {
    const failure: PageFailure = {
      code: 'not_allowed',
      // The warehouse sees orders, but no amounts.
      message: `Ihre Rolle darf die Auswertung nicht sehen, weil sie Umsätze zeigt. Das dürfen: ${rolesWith('orders')}.`,
      requestId: '',
    };
    throw data(failure, { status: 403 });
  }
  return { today: berlinDay(new Date()) };
}

/** The page itself requests the figures; changing the days need not reload it. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }) =>
  currentUrl.pathname !== nextUrl.pathname;

/** ORD: what was sold on each day, by channel. The chosen days are kept in the URL. */
export default function StatisticPage() {
  const today = useToday(useLoaderData<typeof loader>().today);
  const [search, setSearch] = useSearchParams();
  const range = rangeIn(search) ?? last30Days.of(today);
  const chosen = search.get('zeitraum');
  // A page that stays open past midnight no longer finds the chosen month among the ranges of its day.
  const preset = rangePresets.find(({ label }) => label === chosen) ?? presetOf(rangePresets, range, { today, chosen });
  const { statistic, failure, busy, reload } = useStatistic(range, preset?.ofMonth ?? false, today);
  const choose = ({ start, end }: DayRange, label: string) =>
    setSearch({ von: start, bis: end, ...(label === '' ? {} : { zeitraum: label }) }, { preventScrollReset: true });
  return (
    <div className="k-stack">
      <PrintHead range={range} />
      <PageHeader
        title="Auswertung"
        lead="Umsatz und Menge Ihrer Bestellungen je Tag und Kanal."
        actions={
          <RangePicker
            range={range}
            presets={rangePresets}
            mostDays={MOST_DAYS}
            today={today}
            chosen={chosen}
            onRange={choose}
          />
        }
      />
      <div role="status">{busy && <p>Lade Daten...</p>}</div>
      {failure !== null && (
        <div role="alert" className="k-row">
          <p className={classes.failure}>{failure}</p>
          <Button variant="default" size="xs" onClick={reload}>
            Erneut versuchen
          </Button>
        </div>
      )}
      {statistic !== null && failure === null && (
        <div className="k-renewing" aria-busy={busy}>
          <div className="k-stack">
            <StatisticFigures statistic={statistic} onReload={reload} />
          </div>
        </div>
      )}
    </div>
  );
}

/** Parses the days in a URL; undefined if there is no valid range. */
function rangeIn(search: URLSearchParams): DayRange | undefined {
  const range = { start: search.get('von') ?? '', end: search.get('bis') ?? '' };
  const possible = isDay(range.start) && isDay(range.end) && range.start <= range.end && dayCount(range) <= MOST_DAYS;
  return possible ? range : undefined;
}

function StatisticFigures({ statistic, onReload }: { statistic: Statistic; onReload: () => void }) {
  const { table, at } = statistic;
  const labels = useMemo(() => table.days.map(formatWeekday), [table]);
  const series = useMemo(() => seriesOf(table), [table]);
  const details = useCallback((index: number) => detailsOf(table.sums[index]), [table]);
  const { start, end } = table.range;
  return (
    <>
      <Figures statistic={statistic} />
      <section className="k-card k-stack" aria-labelledby="menge">
        <div className="k-between">
          <h2 id="menge">Menge je Tag</h2>
          <span className="k-row k-muted k-small">
            Stand {formatClock(at)}
            <ActionIcon variant="default" size={32} aria-label="Neu laden" title="Neu laden" onClick={onReload}>
              <IconRefresh size={16} aria-hidden />
            </ActionIcon>
          </span>
        </div>
        <LineChart
          label={`Menge je Tag und Kanal, ${formatRange(table.range)}: ${formatInteger(table.total.pieces)} Stück in ${formatCount(table.lines.length, 'Kanal', 'Kanälen')}`}
          labels={labels}
          series={series}
          unit="Stück"
          emptyText="Keine Bestellungen im Zeitraum"
          details={details}
        />
      </section>
      <section className="k-stack" aria-labelledby="tage" style={{ minWidth: 0 }}>
        <div className="k-between">
          <h2 id="tage">Umsatz und Menge</h2>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => downloadText(`Auswertung ${start} bis ${end}.csv`, csvOfCells(statisticCells(table)))}
          >
            Als CSV exportieren
          </Button>
        </div>
        <DayTable table={table} />
        <Remarks table={table} />
        <OtherCurrencies table={table} onChange={onReload} />
      </section>
    </>
  );
}

/** What the figures count, and what they leave out. */
function Remarks({ table: { total } }: { table: StatisticTable }) {
  return (
    <div className="k-muted k-small">
      <p>
        Umsatz: Artikelpreise mit Steuer abzüglich Rabatt, ohne Versand. Menge: bestellte Stücke ohne stornierte.
        Retouren sind nicht abgezogen{total.returned > 0 && ` (${formatInteger(total.returned)} Stück retourniert)`}.
        Ein Tag ist ein Tag in Berlin.
      </p>
      {total.unpriced > 0 && (
        <p>
          Vorläufig: {formatCount(total.unpriced, 'Stück hat', 'Stück haben')} noch keinen Preis; in der Menge zählen
          sie, im Umsatz fehlen sie.
        </p>
      )}
    </div>
  );
}

/** Returns a line for each channel and the total, which hiding lines does not change. */
function seriesOf({ lines, sums }: StatisticTable): ChartSeries[] {
  return [
    ...lines.map(({ key, name, position, pieces }) => ({ key, name, position, values: pieces })),
    { key: 'total', name: 'Gesamtmenge', position: 'total', values: sums.map(({ pieces }) => pieces) },
  ];
}

function detailsOf(sums: Sums | undefined): string[] {
  if (sums === undefined) return [];
  return [
    formatCount(sums.orders, 'Bestellung', 'Bestellungen'),
    ...(sums.cancelled > 0 ? [`${formatInteger(sums.cancelled)} Stück storniert`] : []),
    ...(sums.returned > 0 ? [`${formatInteger(sums.returned)} Stück retourniert`] : []),
  ];
}
