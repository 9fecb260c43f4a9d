import { Link } from 'react-router';
import { decisionReasons } from '#shared/repricer/decision.ts';
import type { Simulation } from '#shared/repricer/history.ts';
import { useMarketplaceCurrency, useMarketplaceName } from '#client/marketplaces.ts';
import { pricePath } from '#client/fields/prices/price-path.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { formatPercent, formatTime } from '#client/ui/text/formats.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import classes from './simulation.module.css';
import { changeOf, outcomeOf, shareOf } from './simulation-words.ts';
import type { Simulated } from './use-simulation.ts';

type Row = Simulation['rows'][number];

/** One line for each price, the most consequential first. */
export function Rows({ masterid, result: { answer, question } }: { masterid: string; result: Simulated }) {
  const marketplaceName = useMarketplaceName();
  const currencyOf = useMarketplaceCurrency();
  const withMargin = question.costField !== '';
  const past = question.on === 'history';
  const several = new Set(answer.rows.map(({ marketplace }) => marketplace)).size > 1;
  const heads = [past ? 'Damals entschieden' : 'Alter Preis', past ? 'Mit dieser Regel' : 'Neuer Preis'];
  return (
    <ScrollRegion label="Simulierte Preise">
      <table className={`k-table ${classes.simulated}`}>
        <thead>
          <tr>
            <th scope="col">Artikel</th>
            {heads.map((head) => (
              <th key={head} scope="col" className="k-number">
                {head}
              </th>
            ))}
            <th scope="col">Grund</th>
            {!past && <th scope="col">Was geschähe</th>}
            {withMargin &&
              ['Marge alt', 'Marge neu'].map((head) => (
                <th key={head} scope="col" className="k-number">
                  {head}
                </th>
              ))}
          </tr>
        </thead>
        <tbody>
          {answer.rows.map((row) => (
            <tr key={`${row.marketplace} ${row.item} ${row.at}`}>
              <th scope="row">
                <Link to={pricePath(masterid, row.item)}>{row.item}</Link>
                {several && <div className="k-muted k-small">{marketplaceName(row.marketplace)}</div>}
                {row.at !== null && <div className="k-muted k-small">{formatTime(row.at)}</div>}
              </th>
              <td className="k-number">{moneyText(row.old_cents, currencyOf(row.marketplace))}</td>
              <td className="k-number">
                {moneyText(row.new_cents, currencyOf(row.marketplace))}
                <div className="k-muted k-small">{changeOf(row, currencyOf(row.marketplace))}</div>
              </td>
              <td>
                {decisionReasons[row.reason]}
                {row.target_seller_id !== null && <div className="k-muted k-small">Ziel: {row.target_seller_id}</div>}
              </td>
              {!past && <td>{outcomeOf(row)}</td>}
              {withMargin && <Margin row={row} currency={currencyOf(row.marketplace)} />}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function Margin({ row, currency }: { row: Row; currency: string }) {
  const cells = [
    { head: 'old', margin: row.old_margin_cents, price: row.old_cents },
    { head: 'new', margin: row.margin_cents, price: row.new_cents },
  ];
  return cells.map(({ head, margin, price }) => {
    const share = margin === null || price === null ? null : shareOf(margin, price);
    return (
      <td key={head} className={`k-number ${(margin ?? 0) < 0 ? classes.loss : ''}`}>
        {moneyText(margin, currency)}
        {share !== null && <div className="k-small">{formatPercent(share)}</div>}
      </td>
    );
  });
}
