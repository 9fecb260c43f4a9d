import { Button, Chip } from '@mantine/core';
import IconX from 'virtual:icons/x';
import { decisionReasons } from '#shared/repricer/decision.ts';
import { SIMULATED_ROWS } from '#shared/repricer/history.ts';
import { formatInteger, formatPercent, formatTime } from '#client/ui/text/formats.ts';
import { Pager } from '#client/ui/grid/pager.tsx';
import classes from '#client/screens/repricer/repricer.module.css';
import simulationClasses from './simulation.module.css';
import { Rows } from './simulation-rows.tsx';
import { Totals } from './simulation-totals.tsx';
import { type Bar, barsOf } from './simulation-words.ts';
import { type Move, pageSize, type SimulationInput, type Simulated } from './use-simulation.ts';

type SimulationResultProps = {
  masterid: string;
  result: Simulated;
  /** Why the result does not match the form; null: it does. */
  stale: string | null;
  onAsk: (part: Partial<SimulationInput>) => void;
};

export function SimulationResult({ masterid, result, stale, onAsk }: SimulationResultProps) {
  const { question, answer } = result;
  if (answer.total === 0) return <Nothing on={question.on} cut={answer.cut} />;
  const { reason, move, page } = question;
  return (
    <div className="k-stack">
      {stale !== null && <p className={classes.missing}>{stale}</p>}
      {answer.cut && (
        <p className="k-small">
          Im Zeitraum liegen mehr Entscheidungen; nachgerechnet sind die neuesten {formatInteger(answer.total)}, deren
          Artikel und Angebote noch bekannt sind.
        </p>
      )}
      <p className="k-small k-muted" role="status">
        {result.renewed
          ? `Die Zeilen von vorhin waren nicht mehr vorrätig: neu durchgerechnet am ${formatTime(answer.at)}.`
          : `Durchgerechnet am ${formatTime(answer.at)}.`}
      </p>
      <Totals result={result} />
      <Bars bars={barsOf(answer)} chosen={reason} onChoose={(next) => onAsk({ reason: next, page: 0 })} />
      <div className={simulationClasses.filters}>
        <Moves chosen={move} onChoose={(next) => onAsk({ move: next, page: 0 })} />
        {reason !== null && (
          <>
            <span>
              Nur <b>{decisionReasons[reason]}</b>
            </span>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconX size={14} aria-hidden />}
              onClick={() => onAsk({ reason: null, page: 0 })}
            >
              Alle Gründe zeigen
            </Button>
          </>
        )}
      </div>
      {answer.matching === 0 ? (
        <p className="k-muted" role="status">
          So ein Preis ist nicht dabei.
        </p>
      ) : (
        <>
          <Rows masterid={masterid} result={result} />
          <Pager
            page={page}
            size={pageSize}
            total={Math.min(answer.matching, SIMULATED_ROWS)}
            noun={question.on === 'history' ? 'Entscheidungen' : 'Artikeln'}
            onPage={(next) => onAsk({ page: next })}
          />
        </>
      )}
    </div>
  );
}

/** `cut`: there are older decisions, which were not read. */
function Nothing({ on, cut }: { on: SimulationInput['on']; cut: boolean }) {
  return (
    <p className="k-muted" role="status">
      {cut
        ? 'Die neuesten Entscheidungen dieses Zeitraums betreffen Artikel, die Sie nicht mehr anbieten, oder ihre Angebote sind nicht mehr bekannt. Ältere wurden nicht gelesen.'
        : on === 'history'
          ? 'In diesem Zeitraum wurde für diesen Katalog kein Preis entschieden, dessen Angebote noch bekannt sind.'
          : 'Für diesen Katalog sind noch keine eigenen Angebote am Marktplatz gemeldet; es gibt nichts auszuprobieren.'}
    </p>
  );
}

const moves: { value: Move | ''; label: string }[] = [
  { value: '', label: 'Alle' },
  { value: 'up', label: 'Wird teurer' },
  { value: 'down', label: 'Wird billiger' },
  { value: 'held', label: 'Gehalten' },
];

/** Filters the prices by the direction in which they move. */
function Moves({ chosen, onChoose }: { chosen: Move | null; onChoose: (move: Move | null) => void }) {
  return (
    <div role="group" aria-label="Welche Preise gezeigt werden" className={simulationClasses.moves}>
      <Chip.Group
        multiple={false}
        value={chosen ?? ''}
        onChange={(value) => onChoose(moves.find((one) => one.value === value)?.value || null)}
      >
        {moves.map(({ value, label }) => (
          <Chip key={value} value={value} size="sm">
            {label}
          </Chip>
        ))}
      </Chip.Group>
    </div>
  );
}

type BarsProps = {
  bars: readonly Bar[];
  chosen: SimulationInput['reason'];
  onChoose: (reason: SimulationInput['reason']) => void;
};

/** A bar for each reason; choosing one filters the items. */
function Bars({ bars, chosen, onChoose }: BarsProps) {
  return (
    <ul className={simulationClasses.bars} aria-label="Artikel je Grund">
      {bars.map(({ reason, label, count, share, holds }) => (
        <li key={reason}>
          <button
            type="button"
            aria-pressed={chosen === reason}
            onClick={() => onChoose(chosen === reason ? null : reason)}
          >
            <span>{label}</span>
            <span className={simulationClasses.barcount}>
              {formatInteger(count)} <span className="k-muted">({formatPercent(share)})</span>
            </span>
            <span className={simulationClasses.bar} data-measure aria-hidden>
              <span data-holds={holds || undefined} style={{ width: `max(3px, ${share * 100}%)` }} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
