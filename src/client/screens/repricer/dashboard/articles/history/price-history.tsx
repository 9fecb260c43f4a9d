import { Button, Loader } from '@mantine/core';
import IconChartLine from 'virtual:icons/chart-line';
import IconDownload from 'virtual:icons/download';
import { useCallback, useMemo } from 'react';
import type { RepricedArticle } from '#shared/repricer/dashboard.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { csvOfCells, downloadText } from '#client/csv-download.ts';
import { LineChart } from '#client/ui/charts/line-chart.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatCount } from '#client/ui/text/formats.ts';
import { HistoryTable } from './history-table.tsx';
import { chartSeries, historyCells, minuteDetails, type SellerNames } from './history-words.ts';
import type { HistoryView } from './price-history-panel.tsx';
import { formatMinute, type PriceSeries, priceSeries } from './price-series.ts';
import { usePriceHistory } from './use-price-history.ts';

type PriceHistoryProps = {
  sellerId: string;
  article: RepricedArticle;
  days: number;
  view: HistoryView;
  names: SellerNames;
  onClose: () => void;
};

/** RDA-07: the price history of an article as a chart or as a table, or why there is none. */
export function PriceHistory({ sellerId, article, days, view, names, onClose }: PriceHistoryProps) {
  const { history, busy, failure, retry, earlier } = usePriceHistory({ sellerId, article, days });
  const series = useMemo(() => priceSeries(history?.moments ?? []), [history]);
  const nothing = history !== null && series.minutes.length === 0 && history.finished;
  return (
    <>
      <div role="status" className={busy ? undefined : 'k-hidden'}>
        {busy && (
          <p className="k-row k-muted">
            <Loader size={16} color="var(--k-graphic)" aria-hidden /> lade Daten
          </p>
        )}
      </div>
      <ErrorNotice failure={failure} onRetry={retry} />
      {nothing && !busy && (
        <EmptyState
          icon={IconChartLine}
          title="keine Daten vorhanden"
          action={
            <Button variant="default" onClick={onClose}>
              Schließen
            </Button>
          }
        >
          <p>In diesem Zeitraum hat der Marktplatz keine Preise zu diesem Artikel gemeldet.</p>
        </EmptyState>
      )}
      {history !== null && series.minutes.length > 0 && (
        <>
          <Prices series={series} names={names} article={article} view={view} />
          {!history.finished && (
            <div className="k-row">
              <Button variant="default" size="xs" disabled={busy} onClick={earlier}>
                Frühere Minuten laden
              </Button>
              <span className="k-muted k-small">
                Gezeigt werden die {formatCount(series.minutes.length, 'neueste Minute', 'neuesten Minuten')}.
              </span>
            </div>
          )}
        </>
      )}
    </>
  );
}

type PricesProps = { series: PriceSeries; names: SellerNames; article: RepricedArticle; view: HistoryView };

function Prices({ series, names, article: { _id, currency }, view }: PricesProps) {
  const lines = useMemo(() => chartSeries(series, names), [series, names]);
  const labels = useMemo(() => series.minutes.map(formatMinute), [series]);
  const times = useMemo(() => series.minutes.map((minute) => Date.parse(minute)), [series]);
  const format = useCallback((cents: number) => moneyText(cents, currency), [currency]);
  const details = useCallback(
    (index: number) => minuteDetails(series, names, index, currency),
    [series, names, currency],
  );
  const range = `${labels[0]} bis ${labels.at(-1)}`;
  return (
    <>
      {view === 'chart' ? (
        <LineChart
          label={`Preise mit Versand von ${formatCount(lines.length, 'Verkäufer', 'Verkäufern')}, ${range}`}
          labels={labels}
          times={times}
          series={lines}
          scale="fitted"
          format={format}
          emptyText="Keine Angebote im Zeitraum"
          details={details}
          zoomable={labels.length > 2}
          stepped
        />
      ) : (
        <HistoryTable series={series} names={names} currency={currency} />
      )}
      <div className="k-between">
        <p className="k-muted k-small">Preise mit Versand, {range} (Berliner Zeit).</p>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => downloadText(`Preisverlauf ${_id}.csv`, csvOfCells(historyCells(series, names, currency)))}
        >
          Preisverlauf als CSV
        </Button>
      </div>
    </>
  );
}
