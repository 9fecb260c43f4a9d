import { Button, Modal, Radio } from '@mantine/core';
import { useMemo, useState } from 'react';
import { type MergeChoice, mergeRules, type RuleConflict } from '#shared/rules/merge.ts';
import { formatTime } from '#client/ui/text/formats.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import type { Foreign, Resolution } from './conflict.ts';
import classes from './conflict-dialog.module.css';

/** How the rules of a screen are spoken of. */
export type RuleWords<R> = {
  changes: (before: readonly R[], after: readonly R[]) => readonly string[];
  name: (rule: R) => string;
  /** One version of a rule in few words. */
  version: (rule: R) => string;
};

type Listed = { id: string; active: boolean };
type ConflictDialogProps<R extends Listed> = {
  words: RuleWords<R>;
  /** What both sides began with. */
  base: readonly R[];
  mine: readonly R[];
  foreign: Foreign<R>;
  onResolve: (resolution: Resolution) => void;
  onClose: () => void;
};

/** Somebody else saved in between: both versions side by side, and the three ways on. Closing leaves all as it is. */
export function ConflictDialog<R extends Listed>({
  words,
  base,
  mine,
  foreign,
  onResolve,
  onClose,
}: ConflictDialogProps<R>) {
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
          <Side title="Ihre Änderungen" sentences={words.changes(base, mine)} />
          <Side title={`Änderungen von ${who}${when}`} sentences={words.changes(base, foreign.rules)} />
        </div>
        <Choices
          words={words}
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
const whoSaved = ({ author }: { author: string }): string => (author === '' ? 'jemand anderem' : author);

function Side({ title, sentences }: { title: string; sentences: readonly string[] }) {
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

type ChoicesProps<R extends Listed> = {
  words: RuleWords<R>;
  conflicts: readonly RuleConflict<R>[];
  who: string;
  choices: ReadonlyMap<string, MergeChoice>;
  onChoose: (ruleId: string, choice: MergeChoice) => void;
};

/** Rules that both changed: one version of each can stay. */
function Choices<R extends Listed>({ words, conflicts, who, choices, onChoose }: ChoicesProps<R>) {
  if (conflicts.length === 0) return null;
  const nameOf = (rule: R | null) => (rule === null ? '' : words.name(rule));
  const versionText = (rule: R | null): string =>
    rule === null ? 'gelöscht' : `${rule.active ? '' : '(pausiert) '}${words.version(rule)}`;
  return (
    <section className="k-stack" style={{ gap: 8 }} aria-label="Von beiden geändert">
      <h3 className={classes.heading}>Von beiden geändert: welche Fassung gilt, wenn Sie beide übernehmen?</h3>
      {conflicts.map(({ ruleId, mine, theirs }) => (
        <Radio.Group
          key={ruleId}
          className={classes.choice}
          label={nameOf(mine ?? theirs)}
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
