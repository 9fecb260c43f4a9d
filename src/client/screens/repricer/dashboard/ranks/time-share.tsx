import { useMemo } from 'react';
import { csvOfCells, downloadText } from '#client/csv-download.ts';
import type { ChartSeries } from '#client/ui/charts/chart-series.ts';
import { LineChart } from '#client/ui/charts/line-chart.tsx';
import { formatRange, formatWeekday } from '#client/ui/text/days.ts';
import { formatPercent } from '#client/ui/text/formats.ts';
import { sharesOf } from '#client/screens/repricer/dashboard/figures/figure-words.ts';
import { dayMarks, type DayNote } from '#client/screens/repricer/dashboard/notes/use-notes.ts';
import type { Shown } from '#client/screens/repricer/dashboard/use-statistic.ts';

type TimeShareProps = { shown: Shown; sellerId: string; notes: readonly DayNote[] };

/** The share of each day in which our offers held the buy box. */
export function TimeShare({ shown: { data, range, days }, sellerId, notes }: TimeShareProps) {
  const { boxtime } = data.buyboxdata;
  const labels = useMemo(() => days.map(formatWeekday), [days]);
  const series = useMemo((): ChartSeries[] => {
    const known = boxtime.find(({ _id }) => _id === sellerId)?.daten ?? [];
    return [{ key: 'share', name: 'Zeitanteil', position: 0, values: sharesOf(days, known) }];
  }, [boxtime, sellerId, days]);
  const marks = useMemo(() => dayMarks(notes, days), [notes, days]);
  return (
    <section className="k-card k-stack" aria-labelledby="zeitanteil">
      <h2 id="zeitanteil">Zeitanteil der BuyBox je Tag</h2>
      <LineChart
        label={`Anteil der Zeit, in der Ihre Angebote die BuyBox hielten, je Tag, ${formatRange(range)}`}
        labels={labels}
        series={series}
        scale="linear"
        format={formatPercent}
        emptyText="Keine Aufzeichnungen im Zeitraum"
        marks={marks}
        table={{
          head: 'Tag',
          onCsv: (cells) => downloadText(`Zeitanteil ${range.start} bis ${range.end}.csv`, csvOfCells(cells)),
        }}
      />
      <p className="k-muted k-small">
        Stündlich gesehen, über alle Angebote: 12 von 24 Stunden sind 50 %. Ein Stand gilt höchstens 24 Stunden; was
        dann unbekannt ist, zählt nicht. Ein Tag ist ein Tag in Berlin.
      </p>
    </section>
  );
}
