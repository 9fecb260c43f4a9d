import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { decisionReasons } from '#shared/repricer-decision.ts';
import { pricePath } from '../../fields/prices/price-path.ts';
import { formatCents, formatCount, formatInteger, formatPercent } from '../../ui/formats.ts';
import { Pager } from '../../ui/pager.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import classes from './repricer.module.css';
import { type Bar, barsOf, outcomeOf } from './simulation-words.ts';
import { pageSize, type Question, type Simulated } from './use-simulation.ts';

type SimulationResultProps = {
  masterid: string;
  result: Simulated;
  busy: boolean;
  /** The form has changed since. */
  stale: boolean;
  onAsk: (part: Partial<Question>) => void;
};

export function SimulationResult({ masterid, result, busy, stale, onAsk }: SimulationResultProps) {
  const { question, answer } = result;
  if (answer.total === 0)
    return (
      <p className="k-muted" role="status">
        Für diesen Katalog sind noch keine eigenen Angebote am Marktplatz gemeldet; es gibt nichts auszuprobieren.
      </p>
    );
  const shown = question.reason === null ? answer.total : (answer.reasons[question.reason] ?? 0);
  return (
    <div className="k-stack" style={busy ? { opacity: 0.55 } : undefined}>
      {stale && <p className={classes.missing}>Sie haben die Regel seither geändert. Simulieren Sie neu.</p>}
      <Totals result={result} />
      <Bars bars={barsOf(answer)} chosen={question.reason} onChoose={(reason) => onAsk({ reason, page: 0 })} />
      {question.reason !== null && (
        <div className="k-row">
          <span>
            Nur <b>{decisionReasons[question.reason]}</b>
          </span>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconX size={14} aria-hidden />}
            onClick={() => onAsk({ reason: null, page: 0 })}
          >
            Alle zeigen
          </Button>
        </div>
      )}
      <Rows masterid={masterid} result={result} />
      <Pager page={question.page} size={pageSize} total={shown} noun="Artikeln" onPage={(page) => onAsk({ page })} />
    </div>
  );
}

function Totals({ result: { answer, question } }: { result: Simulated }) {
  const { total, up, down, same, held, loss } = answer;
  const figures = [
    { label: 'steigen', count: up },
    { label: 'fallen', count: down },
    { label: 'bleiben', count: same },
    { label: 'gehalten', count: held },
    ...(question.costField === '' ? [] : [{ label: 'unter Einkaufspreis', count: loss }]),
  ];
  return (
    <div role="status">
      <p className="k-small k-muted">Von {formatCount(total, 'Artikel', 'Artikeln')}</p>
      <dl className={classes.totals}>
        {figures.map(({ label, count }) => (
          <div key={label} data-loss={(label === 'unter Einkaufspreis' && count > 0) || undefined}>
            <dt>{label}</dt>
            <dd>{formatInteger(count)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

type BarsProps = {
  bars: readonly Bar[];
  chosen: Question['reason'];
  onChoose: (reason: Question['reason']) => void;
};

/** A bar for each reason; choosing one leaves only its items. */
function Bars({ bars, chosen, onChoose }: BarsProps) {
  return (
    <ul className={classes.bars} aria-label="Artikel je Grund">
      {bars.map(({ reason, label, count, share, holds }) => (
        <li key={reason}>
          <button
            type="button"
            aria-pressed={chosen === reason}
            onClick={() => onChoose(chosen === reason ? null : reason)}
          >
            <span>{label}</span>
            <span className={classes.barcount}>
              {formatInteger(count)} <span className="k-muted">({formatPercent(share)})</span>
            </span>
            <span className={classes.bar} aria-hidden>
              <span data-holds={holds || undefined} style={{ width: `max(3px, ${share * 100}%)` }} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Rows({ masterid, result: { answer, question } }: { masterid: string; result: Simulated }) {
  const withMargin = question.costField !== '';
  const several = new Set(answer.rows.map(({ marketplace }) => marketplace)).size > 1;
  return (
    <ScrollRegion label="Simulierte Preise">
      <table className={`k-table ${classes.simulated}`}>
        <thead>
          <tr>
            <th scope="col">Artikel</th>
            <th scope="col" className="k-number">
              Alter Preis
            </th>
            <th scope="col" className="k-number">
              Neuer Preis
            </th>
            <th scope="col">Grund</th>
            <th scope="col">Was geschähe</th>
            {withMargin && (
              <th scope="col" className="k-number">
                Marge
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {answer.rows.map((row) => (
            <tr key={`${row.marketplace} ${row.item}`}>
              <th scope="row">
                <Link to={pricePath(masterid, row.item)}>{row.item}</Link>
                {several && <div className="k-muted k-small">{row.marketplace}</div>}
              </th>
              <td className="k-number">{formatCents(row.old_cents)}</td>
              <td className="k-number">{formatCents(row.new_cents)}</td>
              <td>
                {decisionReasons[row.reason]}
                {row.target_seller_id !== null && <div className="k-muted k-small">Ziel: {row.target_seller_id}</div>}
              </td>
              <td>{outcomeOf(row)}</td>
              {withMargin && (
                <td className={`k-number ${(row.margin_cents ?? 0) < 0 ? classes.loss : ''}`}>
                  {formatCents(row.margin_cents)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
