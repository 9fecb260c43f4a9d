import { Button, Modal, Radio } from '@mantine/core';
import { useMemo, useState } from 'react';
import { formatInteger, formatTime } from '#client/ui/text/formats.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import { useFocusBack } from '#client/ui/focus/use-focus-back.ts';
import type { Conflict, DocumentShape } from './document-shape.ts';
import type { Foreign, Resolution } from './document-state.ts';
import type { MergeChoice } from './merge-rows.ts';
import classes from './conflict-dialog.module.css';

type ConflictDialogProps<D> = {
  shape: DocumentShape<D>;
  /** The version that both sides started from. */
  base: D;
  mine: D;
  foreign: Foreign<D>;
  onResolve: (resolution: Resolution) => void;
  onClose: () => void;
};

/** Shown if somebody else saved in between: both versions side by side, and three ways to go on. Closing it changes nothing. */
export function ConflictDialog<D>({ shape, base, mine, foreign, onResolve, onClose }: ConflictDialogProps<D>) {
  useFocusBack();
  const [choices, setChoices] = useState<ReadonlyMap<string, MergeChoice>>(new Map());
  const theirs = foreign.document;
  const { conflicts, orderConflict } = useMemo(
    () => shape.merge(base, mine, theirs, new Map()),
    [shape, base, mine, theirs],
  );
  const words = foreign.own ? ownWords : wordsOf(foreign.author);
  const when = foreign.createdAt === null ? '' : `, ${formatTime(foreign.createdAt)}`;
  return (
    <Modal opened onClose={onClose} size={960} title={<span className="k-strong">Wie soll gespeichert werden?</span>}>
      <div className="k-stack">
        <p>
          Seit Sie diese Seite geöffnet haben, wurde hier {words.by} gespeichert. Ihre Änderungen sind noch nicht
          gespeichert; was Sie auch wählen, Ihre Eingaben bleiben über „Rückgängig“ erreichbar.
        </p>
        <div className={classes.sides}>
          <Side title="Ihre Änderungen" sentences={shape.sentences(base, mine)} />
          <Side title={`${words.changes}${when}`} sentences={shape.sentences(base, theirs)} />
        </div>
        <Choices
          conflicts={conflicts}
          theirs={words.version}
          choices={choices}
          onChoose={(id, choice) => setChoices(new Map([...choices, [id, choice]]))}
        />
        {orderConflict && (
          <p className="k-muted">Die Reihenfolge haben beide geändert. „Beide übernehmen“ behält Ihre.</p>
        )}
        <div className={classes.ways}>
          <Button variant="default" onClick={onClose}>
            Weiter bearbeiten
          </Button>
          <Button variant="default" onClick={() => onResolve({ kind: 'theirs' })}>
            {words.load}
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

/** Wording for the other version's author: somebody else, or the same user from another window or machine. */
const wordsOf = (author: string) => {
  const name = author === '' ? 'jemand anderem' : author;
  return {
    by: `von ${name}`,
    changes: `Änderungen von ${name}`,
    load: `Stand von ${name} laden`,
    version: `Von ${name}`,
  };
};
const ownWords: ReturnType<typeof wordsOf> = {
  by: 'von Ihnen in einem anderen Fenster',
  changes: 'Ihre Änderungen aus dem anderen Fenster',
  load: 'Ihren Stand aus dem anderen Fenster laden',
  version: 'Aus dem anderen Fenster',
};

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

type ChoicesProps = {
  conflicts: readonly Conflict[];
  theirs: string;
  choices: ReadonlyMap<string, MergeChoice>;
  onChoose: (id: string, choice: MergeChoice) => void;
};

/** Conflicts that a dialog lists at most; for all others the user's own version is taken, or the surviving one. */
const most = 100;

/** Conflicts that both sides changed: the user picks which version of each stays. */
function Choices({ conflicts, theirs: whose, choices, onChoose }: ChoicesProps) {
  if (conflicts.length === 0) return null;
  return (
    <section className="k-stack" style={{ gap: 8 }} aria-label="Von beiden geändert">
      <h3 className={classes.heading}>Von beiden geändert: welche Fassung gilt, wenn Sie beide übernehmen?</h3>
      {conflicts.slice(0, most).map(({ id, name, mine, theirs, standard }) => (
        <Radio.Group
          key={id}
          className={classes.choice}
          label={name}
          value={choices.get(id) ?? standard}
          onChange={(value) => onChoose(id, value === 'theirs' ? 'theirs' : 'mine')}
        >
          <Radio value="mine" label={`Ihre: ${mine}`} />
          <Radio value="theirs" label={`${whose}: ${theirs}`} />
        </Radio.Group>
      ))}
      {conflicts.length > most && (
        <p className="k-muted">
          Und {formatInteger(conflicts.length - most)} weitere: Von ihnen gilt Ihre Fassung. Was Sie gelöscht haben und
          inzwischen geändert wurde, bleibt erhalten.
        </p>
      )}
    </section>
  );
}
