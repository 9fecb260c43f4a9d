import { useRef } from 'react';
import type { SimulatedContent } from '#shared/repricer/before-save.ts';
import type { RepricerRule } from '#shared/repricer/schema.ts';
import type { NameWanted } from '#client/fields/rule-list/rule-head.tsx';
import { CrossedLimits } from './crossed-limits.tsx';
import { RuleEditor } from './rule-editor.tsx';
import { RuleTrial } from './rule-trial.tsx';
import { Simulation } from '#client/screens/repricer/simulation/simulation.tsx';
import { useSimulationChoice } from '#client/screens/repricer/simulation/use-simulation-choice.ts';
import { useSimulation } from '#client/screens/repricer/simulation/use-simulation.ts';

type RuleWorkProps = {
  masterid: string;
  rule: RepricerRule;
  /** A save was attempted: missing values are shown at their fields. */
  saveTried: boolean;
  simulated: { tried: readonly SimulatedContent[]; look: () => void };
  mayEdit: boolean;
  nameWanted: NameWanted | null;
  sellerWanted: NameWanted | null;
  onChange: (rule: RepricerRule) => void;
};

/** The selected rule: its editor, and below it the simulation of its current form. */
export function RuleWork(props: RuleWorkProps) {
  const { masterid, rule, saveTried, simulated, mayEdit, nameWanted, sellerWanted, onChange } = props;
  const simulation = useSimulation(masterid, simulated.look);
  const { choice, choose } = useSimulationChoice();
  const panel = useRef<HTMLDivElement>(null);
  const begin = () => void simulation.ask({ ...choice, rule, reason: null, move: null, page: 0 });
  const beginInSight = () => {
    begin();
    panel.current?.scrollIntoView({ block: 'start' });
  };
  const { tried } = simulated;
  return (
    <>
      <RuleEditor
        rule={rule}
        tried={saveTried}
        trial={mayEdit && <RuleTrial rule={rule} tried={tried} busy={simulation.busy} onSimulate={beginInSight} />}
        limitsNotice={mayEdit && <CrossedLimits key={rule.id} masterid={masterid} rule={rule} />}
        mayEdit={mayEdit}
        nameWanted={nameWanted}
        sellerWanted={sellerWanted}
        onChange={onChange}
      />
      <div ref={panel}>
        <Simulation
          masterid={masterid}
          rule={rule}
          simulation={simulation}
          choice={choice}
          onChoose={choose}
          onBegin={begin}
        />
      </div>
    </>
  );
}
