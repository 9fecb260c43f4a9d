import { useCatalogueMoney } from '#client/screens/repricer/currency-context.ts';
import { formatCount, formatInteger, formatPercent } from '#client/ui/text/formats.ts';
import classes from '#client/screens/repricer/repricer.module.css';
import simulationClasses from './simulation.module.css';
import { shareOf, withoutOffers } from './simulation-words.ts';
import type { Simulated } from './use-simulation.ts';

type Result = { result: Pick<Simulated, 'answer' | 'question'> };

/** How many prices move in which direction, and the margin before and after if a cost field is chosen. */
export function Totals({ result: { answer, question } }: Result) {
  const { total, up, down, same, fresh, held, loss } = answer;
  const past = question.on === 'history';
  const untried = withoutOffers(answer);
  const figures = [
    { label: past ? 'wären höher' : 'steigen', count: up },
    { label: past ? 'wären niedriger' : 'fallen', count: down },
    { label: past ? 'wären gleich' : 'bleiben', count: same },
    ...(fresh === 0 ? [] : [{ label: past ? 'damals ohne Preis' : 'bisher ohne Preis', count: fresh }]),
    { label: 'gehalten', count: held },
    ...(question.costField === '' ? [] : [{ label: 'unter Einkaufspreis', count: loss }]),
  ];
  return (
    <div role="status" className="k-stack">
      <div>
        <p className="k-small k-muted">
          Von {past ? formatCount(total, 'Entscheidung', 'Entscheidungen') : formatCount(total, 'Artikel', 'Artikeln')}
        </p>
        <dl className={simulationClasses.totals}>
          {figures.map(({ label, count }) => (
            <div key={label} data-loss={(label === 'unter Einkaufspreis' && count > 0) || undefined}>
              <dt>{label}</dt>
              <dd>{formatInteger(count)}</dd>
            </div>
          ))}
        </dl>
      </div>
      {untried !== '' && <p className={classes.missing}>{untried}</p>}
      {question.costField !== '' && <Margins result={{ answer, question }} />}
    </div>
  );
}

function Margins({ result: { answer, question } }: Result) {
  const money = useCatalogueMoney();
  const { items, old_cents, new_cents, old_sales_cents, new_sales_cents } = answer.margin;
  if (items === 0)
    return (
      <p className="k-small k-muted">
        Keine Marge: im Feld „{question.costField}“ steht bei keinem dieser Artikel ein lesbarer Preis, oder der alte
        Preis ist unbekannt.
      </p>
    );
  const past = question.on === 'history';
  const figures = [
    { label: past ? 'damals' : 'bisher', cents: old_cents, share: shareOf(old_cents, old_sales_cents) },
    { label: 'mit dieser Regel', cents: new_cents, share: shareOf(new_cents, new_sales_cents) },
    { label: 'Unterschied', cents: new_cents - old_cents, share: null },
  ];
  return (
    <div>
      <p className="k-small k-muted">
        Marge, {past ? 'je Entscheidung' : 'je Artikel'} ein Stück, über{' '}
        {past ? formatCount(items, 'Entscheidung', 'Entscheidungen') : formatCount(items, 'Artikel', 'Artikel')} mit
        altem Preis und Einkaufspreis. Gehaltene behalten ihren Preis; netto oder brutto, wie es im Feld steht.
      </p>
      <dl className={simulationClasses.totals} aria-label="Marge">
        {figures.map(({ label, cents, share }) => (
          <div key={label} data-loss={cents < 0 || undefined}>
            <dt>{label}</dt>
            <dd>
              {money(cents)}
              {share !== null && <span className={simulationClasses.share}> {formatPercent(share)}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
