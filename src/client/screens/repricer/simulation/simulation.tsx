import { ActionIcon, Button, NativeSelect, SegmentedControl } from '@mantine/core';
import IconFlask from 'virtual:icons/flask';
import IconX from 'virtual:icons/x';
import type { RepricerRule } from '#shared/repricer/schema.ts';
import { FieldPicker } from '#client/fields/values/field-picker.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { ProgressBar } from '#client/ui/progress-bar.tsx';
import { usePriceGroups } from '#client/screens/repricer/price-groups.ts';
import classes from './simulation.module.css';
import repricerClasses from '#client/screens/repricer/repricer.module.css';
import { SimulationResult } from './simulation-result.tsx';
import { DAYS, type SimulationChoice } from './use-simulation-choice.ts';
import type { SimulationInput, useSimulation } from './use-simulation.ts';

type ChoiceProps = { choice: SimulationChoice; onChoose: (part: Partial<SimulationChoice>) => void };
type SimulationProps = ChoiceProps & {
  masterid: string;
  rule: RepricerRule;
  simulation: ReturnType<typeof useSimulation>;
  onBegin: () => void;
};

const explained = {
  now: 'Probiert die Regel, wie sie oben steht, auf den gespeicherten Angeboten aus. Es wird nichts gesendet.',
  history:
    'Rechnet jede Entscheidung der letzten Tage mit dieser Regel nach, auf den Angeboten von damals. Preisgrenzen, Kosten und Bewertungen sind die von heute. Es wird nichts gesendet.',
} as const;

/** What the rule in the form would do, or would have done. Nothing is sent. */
export function Simulation({ masterid, rule, simulation, choice, onChoose, onBegin }: SimulationProps) {
  const { result, busy, failure, askAgain, cancel, forget } = simulation;
  return (
    <section className="k-card k-stack" aria-label="Simulation" aria-busy={busy}>
      <div>
        <h2>Simulation</h2>
        <p className="k-muted k-small">{explained[choice.on]}</p>
      </div>
      <div className={classes.simulationtools}>
        <Offers choice={choice} onChoose={onChoose} />
        <Cost choice={choice} onChoose={onChoose} />
        {busy ? (
          <Button variant="default" leftSection={<IconX size={16} aria-hidden />} onClick={cancel}>
            Abbrechen
          </Button>
        ) : (
          <Button variant="default" leftSection={<IconFlask size={16} aria-hidden />} onClick={onBegin}>
            Simulieren
          </Button>
        )}
      </div>
      {busy && <ProgressBar label="Die Regel wird durchgerechnet" done={0} total={0} />}
      <ErrorNotice failure={failure} onRetry={() => askAgain()} onClose={forget} />
      {result !== null && (
        <SimulationResult
          masterid={masterid}
          result={result}
          stale={staleWords(result.question, rule, choice)}
          onAsk={askAgain}
        />
      )}
    </section>
  );
}

/** Says why the result no longer matches the form above it; null: it does. */
function staleWords(
  question: SimulationInput,
  rule: RepricerRule,
  { on, days, costField }: SimulationChoice,
): string | null {
  if (question.rule !== rule) return 'Sie haben die Regel seither geändert. Simulieren Sie neu.';
  const other = question.on !== on || question.costField !== costField || (on === 'history' && question.days !== days);
  return other ? 'Sie haben die Auswahl seither geändert. Simulieren Sie neu.' : null;
}

function Offers({ choice: { on, days }, onChoose }: ChoiceProps) {
  return (
    <>
      <div className={classes.choice}>
        <span className={repricerClasses.caption} aria-hidden>
          Ausprobieren auf
        </span>
        <SegmentedControl
          aria-label="Ausprobieren auf"
          value={on}
          onChange={(value) => onChoose({ on: value === 'history' ? 'history' : 'now' })}
          data={[
            { value: 'now', label: 'Aktuelle Angebote' },
            { value: 'history', label: 'Verlauf' },
          ]}
        />
      </div>
      {on === 'history' && (
        <NativeSelect
          label="Zeitraum"
          value={String(days)}
          data={DAYS.map((day) => ({ value: String(day), label: day === 1 ? 'letzter Tag' : `letzte ${day} Tage` }))}
          onChange={({ currentTarget }) => onChoose({ days: Number(currentTarget.value) })}
        />
      )}
    </>
  );
}

function Cost({ choice: { costField }, onChoose }: ChoiceProps) {
  const groups = usePriceGroups();
  return (
    <div className={classes.cost}>
      <span className={repricerClasses.caption} aria-hidden>
        Einkaufspreis (für die Marge)
      </span>
      <div className={classes.costfield}>
        <FieldPicker
          label="Feld mit dem Einkaufspreis"
          groups={groups}
          value={costField}
          purpose="cost_field"
          placeholder="ohne Marge"
          onChange={(entry) => onChoose({ costField: entry.value })}
        />
        {costField !== '' && (
          <ActionIcon
            variant="subtle"
            size={36}
            aria-label="Ohne Marge"
            title="Ohne Marge"
            onClick={() => onChoose({ costField: '' })}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        )}
      </div>
    </div>
  );
}
