import { Button, Modal, Radio } from '@mantine/core';
import { useMemo, useState } from 'react';
import { ruleListChanges } from '#shared/rule-difference.ts';
import { type MergeChoice, mergeRules, type RuleConflict } from '#shared/rule-merge.ts';
import { ruleName, ruleSentence } from '#shared/rule-sentences.ts';
import type { Rule } from '#shared/rules.ts';
import { formatTime } from '../../ui/formats.ts';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import classes from './conflict-dialog.module.css';
import type { Resolution } from './use-rules.ts';
import type { Foreign } from './use-saving.ts';

type ConflictDialogProps = {
  /** What both sides began with. */
  base: readonly Rule[];
  mine: readonly Rule[];
  foreign: Foreign;
  onResolve: (resolution: Resolution) => void;
  onClose: () => void;
};

/** Somebody else saved in between: both versions side by side, and the three ways on. Closing leaves all as it is. */
export function ConflictDialog({ base, mine, foreign, onResolve, onClose }: ConflictDialogProps) {
  const [choices, setChoices] = useState<ReadonlyMap<string, MergeChoice>>(new Map());
  const merge = useMemo(() => mergeRules(base, mine, foreign.rules), [base, mine, foreign.rules]);
  const who = whoSaved(foreign);
  const when = foreign.createdAt === null ? '' : `, ${formatTime(foreign.createdAt)}`;
  return (
    <Modal opened onClose={onClose} size={960} title={<span className="k-strong">Wie soll gespeichert werden?</span>}>
      <div className="k-stack">
        <p>
          Seit Sie die Regeln geöffnet haben, wurden sie von {who} geändert. Gespeichert ist von Ihnen noch nichts; was
          Sie auch wählen, Ihre Eingaben bleiben über „Rückgängig“ erreichbar.
        </p>
        <div className={classes.sides}>
          <Side title="Ihre Änderungen" before={base} after={mine} />
          <Side title={`Änderungen von ${who}${when}`} before={base} after={foreign.rules} />
        </div>
        <Choices
          conflicts={merge.conflicts}
          who={who}
          choices={choices}
          onChoose={(id, choice) => setChoices(new Map([...choices, [id, choice]]))}
        />
        {merge.orderConflict && (
          <p className="k-muted">Die Reihenfolge haben beide geändert. „Beide übernehmen“ behält Ihre.</p>
        )}
        <div className={classes.ways}>
          <Button variant="default" onClick={onClose}>
            Weiter bearbeiten
          </Button>
          <Button variant="default" onClick={() => onResolve({ kind: 'theirs' })}>
            Stand von {who} laden
          </Button>
          <Button variant="default" onClick={() => onResolve({ kind: 'mine' })}>
            Meinen Stand speichern
          </Button>
          <Button onClick={() => onResolve({ kind: 'both', choices })} data-autofocus>
            Beide übernehmen
          </Button>
        </div>
      </div>
    </Modal>
  );
}

/** The other one's name in sentences. */
export const whoSaved = ({ author }: Pick<Foreign, 'author'>): string => (author === '' ? 'jemand anderem' : author);

type SideProps = { title: string; before: readonly Rule[]; after: readonly Rule[] };

function Side({ title, before, after }: SideProps) {
  const sentences = useMemo(() => ruleListChanges(before, after), [before, after]);
  return (
    <section className={classes.side} aria-label={title}>
      <h3>{title}</h3>
      <ScrollRegion label={title} className={classes.sentences}>
        <ul>
          {sentences.map((sentence, index) => (
            <li key={index}>{sentence}</li>
          ))}
          {sentences.length === 0 && <li>Keine Änderungen.</li>}
        </ul>
      </ScrollRegion>
    </section>
  );
}

type ChoicesProps = {
  conflicts: readonly RuleConflict[];
  who: string;
  choices: ReadonlyMap<string, MergeChoice>;
  onChoose: (ruleId: string, choice: MergeChoice) => void;
};

/** Rules that both changed: one version of each can stay. */
function Choices({ conflicts, who, choices, onChoose }: ChoicesProps) {
  if (conflicts.length === 0) return null;
  return (
    <section className="k-stack" style={{ gap: 8 }} aria-label="Von beiden geändert">
      <h3 className={classes.heading}>Von beiden geändert: welche Fassung gilt, wenn Sie beide übernehmen?</h3>
      {conflicts.map(({ ruleId, mine, theirs }) => (
        <Radio.Group
          key={ruleId}
          className={classes.choice}
          label={ruleName(mine ?? theirs ?? { name: '' })}
          value={choices.get(ruleId) ?? (mine === null ? 'theirs' : 'mine')}
          onChange={(value) => onChoose(ruleId, value === 'theirs' ? 'theirs' : 'mine')}
        >
          <Radio value="mine" label={`Ihre: ${versionText(mine)}`} />
          <Radio value="theirs" label={`Von ${who}: ${versionText(theirs)}`} />
        </Radio.Group>
      ))}
    </section>
  );
}

const versionText = (rule: Rule | null): string =>
  rule === null ? 'gelöscht' : `${rule.active ? '' : '(pausiert) '}${ruleSentence(rule)}`;
