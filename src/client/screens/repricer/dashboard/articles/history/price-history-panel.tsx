import { CloseButton, NativeSelect, SegmentedControl } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { RepricedArticle } from '#shared/repricer/dashboard.ts';
import { pricePath } from '#client/fields/prices/price-path.ts';
import classes from './history.module.css';
import { useSellerNames } from '#client/screens/repricer/dashboard/use-seller-names.ts';
import { PriceHistory } from './price-history.tsx';

export type HistoryView = 'chart' | 'table';
type PriceHistoryPanelProps = {
  sellerId: string;
  article: RepricedArticle;
  onClose: () => void;
};

const ranges = [
  { value: '1', label: 'Letzter Tag' },
  { value: '7', label: 'Letzte 7 Tage' },
  { value: '30', label: 'Letzte 30 Tage' },
  { value: '90', label: 'Letzte 90 Tage' },
];

/** Content of an expanded row: the prices of all sellers for the article. Escape closes it. */
export function PriceHistoryPanel({ sellerId, article, onClose }: PriceHistoryPanelProps) {
  const [days, setDays] = useState(30);
  const [view, setView] = useState<HistoryView>('chart');
  const names = useSellerNames(article.masterid);
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) onClose();
  };
  const title = `Preisverlauf ${article._id}`;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it as its button does
    <section ref={box} className={classes.panel} aria-label={title} onKeyDown={onKeyDown}>
      <div className={`k-between ${classes.panelHead}`}>
        <h3 className={classes.panelTitle}>{title}</h3>
        <div className="k-row">
          <Link to={pricePath(article.masterid, article._id)} className="k-small">
            Warum dieser Preis?
          </Link>
          <NativeSelect
            size="xs"
            aria-label="Zeitraum des Preisverlaufs"
            value={String(days)}
            onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
            data={ranges}
          />
          <SegmentedControl
            size="xs"
            aria-label="Darstellung"
            value={view}
            onChange={(chosen) => setView(chosen === 'table' ? 'table' : 'chart')}
            data={[
              { value: 'chart', label: 'Diagramm' },
              { value: 'table', label: 'Tabelle' },
            ]}
          />
          <CloseButton
            className={classes.panelClose}
            size={28}
            aria-label="Preisverlauf schließen"
            title="Schließen"
            onClick={onClose}
          />
        </div>
      </div>
      <PriceHistory key={days} {...{ sellerId, article, days, view, names, onClose }} />
    </section>
  );
}
