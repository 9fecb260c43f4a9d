import { useState } from 'react';
import { moneyText } from '#shared/values/money-text.ts';
import classes from './history.module.css';
import { Pager } from '#client/ui/grid/pager.tsx';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import { sellerName, type SellerNames } from './history-words.ts';
import { formatMinute, type PriceSeries } from './price-series.ts';

/** Minutes per page: with 40 sellers they make a thousand cells. */
const SIZE = 25;

/** The numbers of the chart, the newest minute first. */
export function HistoryTable({
  series,
  names,
  currency,
}: {
  series: PriceSeries;
  names: SellerNames;
  currency: string;
}) {
  const [page, setPage] = useState(0);
  const { minutes, lines } = series;
  const shown = Math.min(page, Math.ceil(minutes.length / SIZE) - 1);
  const newest = minutes.length - 1 - shown * SIZE;
  const indexes = Array.from({ length: Math.min(SIZE, newest + 1) }, (_, offset) => newest - offset);
  return (
    <>
      <ScrollRegion label="Preise mit Versand je Minute" className={classes.historyScroll ?? ''}>
        <table className={classes.history}>
          <thead>
            <tr>
              <th scope="col">Zeit</th>
              {lines.map((line) => (
                <th key={line.seller} scope="col" data-own={line.own || undefined}>
                  {sellerName(line, names)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {indexes.map((index) => (
              <tr key={index}>
                <th scope="row">{formatMinute(minutes[index] ?? '')}</th>
                {lines.map(({ seller, own, prices }) => {
                  const price = prices[index] ?? null;
                  return (
                    <td key={seller} data-own={own || undefined} data-box={price?.box || undefined}>
                      {moneyText(price?.cents ?? null, currency)}
                      {price?.box === true && <small>BuyBox</small>}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {minutes.length > SIZE && (
        <Pager page={shown} size={SIZE} total={minutes.length} noun="Minuten" onPage={setPage} />
      )}
    </>
  );
}
