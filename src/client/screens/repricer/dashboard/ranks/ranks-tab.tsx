import { Button } from '@mantine/core';
import { useMemo } from 'react';
import type { RankRow } from '#shared/repricer/dashboard.ts';
import { csvOfCells, downloadText } from '#client/csv-download.ts';
import { LineChart } from '#client/ui/charts/line-chart.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import { formatRange } from '#client/ui/text/days.ts';
import { formatCount, formatInteger, formatShare } from '#client/ui/text/formats.ts';
import classes from '#client/screens/repricer/dashboard/dashboard.module.css';
import type { ArticlesOf } from '#client/screens/repricer/dashboard/dashboard-query.ts';
import type { DayNote } from '#client/screens/repricer/dashboard/notes/use-notes.ts';
import { AsOf } from '#client/screens/repricer/dashboard/statistic-frame.tsx';
import type { Shown } from '#client/screens/repricer/dashboard/use-statistic.ts';
import { noteMarks, rankCells, rankLines } from './rank-lines.ts';
import { RuleChangeList } from './rule-change-list.tsx';
import { ruleMarks, useRuleChanges } from './rule-marks.ts';
import { TimeShare } from './time-share.tsx';

type RanksTabProps = {
  masterid: string;
  shown: Shown;
  /** One of our own seller ids. */
  sellerId: string;
  notes: readonly DayNote[];
  onList: (of: ArticlesOf) => void;
  onReload: () => void;
};

/** RDA-02: the ranks of our offers now, how many of them hold the buy box, and both over time. */
export function RanksTab({ masterid, shown, sellerId, notes, onList, onReload }: RanksTabProps) {
  const { data, range, at } = shown;
  const { buybox, buyboxstat } = data.buyboxdata;
  const rows = buybox.find(({ _id }) => _id === sellerId)?.daten ?? [];
  const points = useMemo(
    () => rankLines(buyboxstat.find(({ _id }) => _id === sellerId)?.daten ?? []),
    [buyboxstat, sellerId],
  );
  const { changes, failure, retry } = useRuleChanges(masterid, range);
  const marks = useMemo(
    () => [...noteMarks(notes, points.times), ...ruleMarks(changes, points.times)],
    [notes, changes, points],
  );
  return (
    <>
      <section className="k-card k-stack" aria-labelledby="raenge">
        <div className="k-between">
          <h2 id="raenge">Ihre Angebote nach Rang</h2>
          <AsOf at={at} onReload={onReload} />
        </div>
        <RankTable rows={rows} onList={onList} />
        <RankWords rows={rows} />
      </section>
      <section className="k-card k-stack" aria-labelledby="verlauf">
        <h2 id="verlauf">Verlauf</h2>
        <LineChart
          key={sellerId}
          label={`Angebote auf den Rängen 1 bis 3 und in der BuyBox, ${formatRange(range)}: ${formatCount(points.times.length, 'Zeitpunkt', 'Zeitpunkte')}`}
          labels={points.labels}
          times={points.times}
          series={points.series}
          scale="linear"
          unit="Angebote"
          emptyText="Keine Aufzeichnungen im Zeitraum"
          marks={marks}
          zoomable
          table={{
            head: 'Zeitpunkt',
            printedByDay: true,
            onCsv: (cells) => downloadText(`Verlauf ${range.start} bis ${range.end}.csv`, csvOfCells(cells)),
          }}
        />
        <ErrorNotice failure={failure} onRetry={retry} />
        <RuleChangeList masterid={masterid} changes={changes} />
        <p className="k-muted k-small">
          Stündlich gezählt: wie viele Ihrer Angebote in diesem Augenblick auf dem Rang oder in der BuyBox standen. Lief
          das Programm nicht, hat die Linie eine Lücke.
        </p>
      </section>
      <TimeShare key={`${sellerId} Zeit`} {...{ shown, sellerId, notes }} />
    </>
  );
}

const rankName = (rang: number) => (rang === 0 ? 'ohne Rang' : formatInteger(rang));

function RankTable({ rows, onList }: { rows: readonly RankRow[]; onList: (of: ArticlesOf) => void }) {
  if (rows.length === 0)
    return <p className="k-muted">Von dieser Verkäuferkennung sind noch keine Angebote bekannt.</p>;
  return (
    <ScrollRegion label="Angebote nach Rang" className="k-figures">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Rang</th>
            <th scope="col">Artikelanzahl</th>
            <th scope="col">Buybox</th>
            <th scope="col">Non-Buybox</th>
            <th scope="col">
              <span className="k-hidden">Artikel</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ rang, anzahl, buybox_count, non_buybox_count }) => (
            <tr key={rang}>
              <th scope="row">{rankName(rang)}</th>
              <td>{formatInteger(anzahl)}</td>
              <td data-telling={(rang !== 1 && buybox_count > 0) || undefined}>{formatInteger(buybox_count)}</td>
              <td data-telling={(rang === 1 && non_buybox_count > 0) || undefined}>
                {formatInteger(non_buybox_count)}
              </td>
              <td>
                <Button
                  variant="default"
                  size="xs"
                  aria-label={rang === 0 ? 'Liste der Artikel ohne Rang' : `Liste der Artikel auf Rang ${rang}`}
                  onClick={() => onList({ kind: 'rank', rank: rang })}
                >
                  Liste
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** Explains the two cells that a merchant can do something about. */
function RankWords({ rows }: { rows: readonly RankRow[] }) {
  const { offers, boxes, cheapestWithoutBox, boxWithoutCheapest } = rankCells(rows);
  if (offers === 0) return null;
  return (
    <div className="k-small">
      <p>
        In der BuyBox: {formatInteger(boxes)} von {formatCount(offers, 'Angebot', 'Angeboten')} (
        {formatShare(boxes / offers)}).
      </p>
      {cheapestWithoutBox > 0 && (
        <p>
          <strong>Rang 1 ohne BuyBox: {formatInteger(cheapestWithoutBox)}.</strong> Hier sind Sie schon am günstigsten;
          ein niedrigerer Preis hilft nicht. Prüfen Sie Versand, Lieferzeit und Bewertungen, und ob der Marktplatz die
          BuyBox niemandem gibt.
        </p>
      )}
      {boxWithoutCheapest > 0 && (
        <p>
          <strong>BuyBox ohne Rang 1: {formatInteger(boxWithoutCheapest)}.</strong> Der Marktplatz zieht Ihr Angebot
          vor, obwohl ein anderes günstiger oder Ihr Rang nicht bekannt ist; ein niedrigerer Preis brächte hier nichts.
        </p>
      )}
      <p className="k-muted">
        Der Rang zählt Preis mit Versand, ohne die Filter Ihrer Regeln. „ohne Rang“: Ihr Angebot ist nicht unter denen,
        die der Marktplatz nennt.
      </p>
    </div>
  );
}
