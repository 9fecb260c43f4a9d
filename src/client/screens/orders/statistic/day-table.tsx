import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import { formatWeekday } from '#client/ui/text/days.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { formatInteger } from '#client/ui/text/formats.ts';
import { euroSum, sum, type StatisticTable } from './statistic-table.ts';
import classes from './statistic.module.css';

/** ORD-03: the numbers of the chart day by day, with revenue. */
export function DayTable({ table: { days, lines, sums, total } }: { table: StatisticTable }) {
  return (
    <ScrollRegion label="Umsatz und Menge je Tag" className="k-figures">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col" rowSpan={2} className={classes.day}>
              Datum
            </th>
            {lines.map(({ key, name }) => (
              <th key={key} scope="colgroup" colSpan={2} className={classes.channel}>
                {name}
              </th>
            ))}
            <th scope="col" rowSpan={2} className={classes.last}>
              Gesamtmenge
            </th>
          </tr>
          <tr>
            {lines.map(({ key }) => [
              <th key={`${key} Umsatz`} scope="col" className={classes.first}>
                Umsatz
              </th>,
              <th key={`${key} Menge`} scope="col">
                Menge
              </th>,
            ])}
          </tr>
        </thead>
        <tbody>
          {days.map((day, index) => (
            <tr key={day}>
              <th scope="row" className={classes.day}>
                {formatWeekday(day)}
              </th>
              {lines.map(({ key, currency, cents, pieces, euro }) => [
                <td key={`${key} Umsatz`} className={classes.first}>
                  {moneyText(cents[index] ?? 0, currency)}
                  <InEuro cents={euro[index]?.cents} />
                </td>,
                <td key={`${key} Menge`}>{formatInteger(pieces[index] ?? 0)}</td>,
              ])}
              <td className={classes.last}>{formatInteger(sums[index]?.pieces ?? 0)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" className={classes.day}>
              ∑ Summe
            </th>
            {lines.map((line) => [
              <td key={`${line.key} Umsatz`} className={classes.first}>
                {moneyText(sum(line.cents), line.currency)}
                <InEuro cents={line.euro.some((one) => one !== null) ? euroSum(line) : undefined} />
              </td>,
              <td key={`${line.key} Menge`}>{formatInteger(sum(line.pieces))}</td>,
            ])}
            <td className={classes.last}>{formatInteger(total.pieces)}</td>
          </tr>
        </tfoot>
      </table>
    </ScrollRegion>
  );
}

/** An amount in another currency converted to euro, shown below it. */
const InEuro = ({ cents }: { cents: number | undefined }) =>
  cents === undefined ? null : <span className={classes.euro}>= {moneyText(cents)}</span>;
