import { Button } from '@mantine/core';
import { IconFlask, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { RepricerRule } from '#shared/repricer.ts';
import { FieldPicker } from '../../fields/field-picker.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { usePriceGroups } from './price-groups.ts';
import classes from './repricer.module.css';
import { SimulationResult } from './simulation-result.tsx';
import { useSimulation } from './use-simulation.ts';

/** What the rule would do as it stands in the form, tried on the offers that are stored. Nothing is sent. */
export function Simulation({ masterid, rule }: { masterid: string; rule: RepricerRule }) {
  const groups = usePriceGroups();
  const { result, busy, failure, ask, cancel, forget } = useSimulation(masterid);
  const [costField, setCostField] = useState('');
  const begin = () => void ask({ rule, costField, reason: null, page: 0 });
  return (
    <section className="k-card k-stack" aria-label="Simulation" aria-busy={busy}>
      <div className={classes.simulationhead}>
        <div className={classes.simulationwords}>
          <h2>Simulation</h2>
          <p className="k-muted k-small">
            Probiert die Regel, wie sie oben steht, auf den gespeicherten Angeboten aus. Es wird nichts gesendet.
          </p>
        </div>
        <div className={classes.simulationtools}>
          <div className={classes.cost}>
            <span className={classes.caption} aria-hidden>
              Einkaufspreis (für die Marge)
            </span>
            <FieldPicker
              label="Feld mit dem Einkaufspreis"
              groups={groups}
              value={costField}
              purpose="cost_field"
              placeholder="ohne Marge"
              onChange={(entry) => setCostField(entry.value)}
            />
          </div>
          {busy ? (
            <Button variant="default" leftSection={<IconX size={16} aria-hidden />} onClick={cancel}>
              Abbrechen
            </Button>
          ) : (
            <Button variant="default" leftSection={<IconFlask size={16} aria-hidden />} onClick={begin}>
              Simulieren
            </Button>
          )}
        </div>
      </div>
      {busy && <ProgressBar label="Die Regel wird durchgerechnet" done={0} total={0} />}
      <ErrorNotice failure={failure} onRetry={begin} onClose={forget} />
      {result !== null && (
        <SimulationResult
          masterid={masterid}
          result={result}
          busy={busy}
          stale={result.question.rule !== rule || result.question.costField !== costField}
          onAsk={(part) => void ask({ ...result.question, ...part })}
        />
      )}
    </section>
  );
}
