import { NativeSelect } from '@mantine/core';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { csvOfCells, downloadText } from '#client/csv-download.ts';
import { LineChart } from '#client/ui/charts/line-chart.tsx';
import { formatRange, formatWeekday } from '#client/ui/text/days.ts';
import { formatCount } from '#client/ui/text/formats.ts';
import classes from '#client/screens/repricer/dashboard/dashboard.module.css';
import { dayMarks, type DayNote } from '#client/screens/repricer/dashboard/notes/use-notes.ts';
import { AsOf } from '#client/screens/repricer/dashboard/statistic-frame.tsx';
import type { Shown } from '#client/screens/repricer/dashboard/use-statistic.ts';
import { groupNames, messageGroups, messageLines, totalOf } from './message-lines.ts';

type MessagesTabProps = { shown: Shown; notes: readonly DayNote[]; onReload: () => void };

/** RDA-01: number of messages of each type that the repricer wrote on each day. */
export function MessagesTab({ shown: { data, range, days, at }, notes, onReload }: MessagesTabProps) {
  const [search, setSearch] = useSearchParams();
  const group = groupNames.find((name) => name === search.get('gruppe')) ?? 'reason';
  const { label, help } = messageGroups[group];
  const lines = useMemo(() => messageLines(data.statdata, group, days), [data, group, days]);
  const labels = useMemo(() => days.map(formatWeekday), [days]);
  const marks = useMemo(() => dayMarks(notes, days), [notes, days]);
  const choose = (name: string) => {
    const next = new URLSearchParams(search);
    next.set('gruppe', name);
    setSearch(next, { preventScrollReset: true, replace: true });
  };
  return (
    <section className="k-card k-stack" aria-labelledby="nachrichten">
      <div className="k-between">
        <h2 id="nachrichten">Nachrichten je Tag</h2>
        <AsOf at={at} onReload={onReload} />
      </div>
      <NativeSelect
        className={classes.choice}
        label="Art der Nachrichten"
        description={help}
        value={group}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={groupNames.map((value) => ({ value, label: messageGroups[value].label }))}
      />
      <LineChart
        key={group}
        label={`${label} je Tag, ${formatRange(range)}: ${formatCount(totalOf(lines), 'Nachricht', 'Nachrichten')}`}
        labels={labels}
        series={lines}
        emptyText="Keine Nachrichten im Zeitraum"
        marks={marks}
        table={{
          head: 'Tag',
          onCsv: (cells) => downloadText(`${label} ${range.start} bis ${range.end}.csv`, csvOfCells(cells)),
        }}
      />
      <p className="k-muted k-small">Gezählt werden Nachrichten des ganzen Katalogs; ein Tag ist ein Tag in Berlin.</p>
    </section>
  );
}
