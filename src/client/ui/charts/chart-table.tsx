import { Button } from '@mantine/core';
import IconDownload from 'virtual:icons/download';
import { useState } from 'react';
import { Pager } from '#client/ui/grid/pager.tsx';
import { formatInteger } from '#client/ui/text/formats.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import { usePrinting } from '#client/ui/use-printing.ts';
import type { ChartMark, ChartSeries } from './chart-series.ts';
import classes from './charts.module.css';

type ChartTableProps = {
  /** Heading of the label column: „Tag“. */
  head: string;
  labels: readonly string[];
  series: readonly ChartSeries[];
  marks: readonly ChartMark[];
  format: (value: number) => string;
  /** Downloads the cells, header row included, as a file. */
  onCsv?: ((cells: string[][]) => void) | undefined;
};

/** Rows per page: prices of many sellers minute by minute would be a hundred thousand cells. */
const PAGE = 100;

/** Rows on paper, which has no pages to turn; longer tables say how many rows are missing. */
const PRINTED = 1000;

/** All values of a chart as a table. Part of the page from the start, collapsed; unfolded on paper. */
export function ChartTable({ head, labels, series, marks, format, onCsv }: ChartTableProps) {
  const [page, setPage] = useState(0);
  const [unfolded, setUnfolded] = useState(false);
  const printing = usePrinting();
  const size = printing ? PRINTED : PAGE;
  const from = printing ? 0 : Math.min(page, Math.max(0, Math.ceil(labels.length / PAGE) - 1)) * PAGE;
  const notes = Map.groupBy(marks, ({ index }) => index);
  return (
    <details
      className={classes.details}
      open={unfolded || printing}
      onToggle={({ currentTarget }) => !printing && setUnfolded(currentTarget.open)}
    >
      <summary>Als Tabelle anzeigen</summary>
      <div className="k-stack">
        {onCsv !== undefined && (
          <Button
            className={classes.csv}
            variant="default"
            size="xs"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => onCsv(chartCells({ head, labels, series, marks }))}
          >
            Als CSV exportieren
          </Button>
        )}
        <ScrollRegion label={`Zahlen des Diagramms je ${head}`} className="k-figures">
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{head}</th>
                {series.map(({ key, name }) => (
                  <th key={key} scope="col">
                    {name}
                  </th>
                ))}
                {marks.length > 0 && (
                  <th scope="col" className={classes.note}>
                    Notizen
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {labels.slice(from, from + size).map((label, offset) => (
                <tr key={`${from + offset}`}>
                  <th scope="row">{label}</th>
                  {series.map(({ key, values }) => (
                    <td key={key}>{cell(values[from + offset], format)}</td>
                  ))}
                  {marks.length > 0 && (
                    <td className={classes.note}>{textsOf(notes.get(from + offset)).join(' · ')}</td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
        {printing && labels.length > PRINTED && (
          <p className="k-small">
            Gedruckt sind die ersten {formatInteger(PRINTED)} von {formatInteger(labels.length)} Zeilen; alle stehen in
            der CSV-Datei.
          </p>
        )}
        {!printing && labels.length > PAGE && (
          <Pager page={page} size={PAGE} total={labels.length} onPage={setPage} noun="Zeilen" />
        )}
      </div>
    </details>
  );
}

const textsOf = (marks: readonly ChartMark[] = []) => marks.map(({ text }) => text);
const cell = (value: number | null | undefined, format: (value: number) => string) =>
  value === null || value === undefined ? '–' : format(value);

/** Returns the same table for a spreadsheet: numbers with a decimal comma. */
export function chartCells({ head, labels, series, marks }: Omit<ChartTableProps, 'format' | 'onCsv'>): string[][] {
  const notes = Map.groupBy(marks, ({ index }) => index);
  return [
    [head, ...series.map(({ name }) => name), ...(marks.length > 0 ? ['Notizen'] : [])],
    ...labels.map((label, index) => [
      label,
      ...series.map(({ values }) => String(values[index] ?? '').replace('.', ',')),
      ...(marks.length > 0 ? [textsOf(notes.get(index)).join(' · ')] : []),
    ]),
  ];
}
