import { Button, NativeSelect, TextInput } from '@mantine/core';
import IconPlayerPause from 'virtual:icons/player-pause';
import IconPlayerPlay from 'virtual:icons/player-play';
import IconTrash from 'virtual:icons/trash';
import { type SyntheticEvent, useState } from 'react';
import type { RowFilter } from '#shared/assignments/schema.ts';
import type { TargetEntry } from '#shared/targets/schema.ts';
import { formatCount } from '#client/ui/text/formats.ts';
import { FieldPicker } from '#client/fields/values/field-picker.tsx';
import classes from './bulk-bar.module.css';
import { NO_TARGET, targetGroups } from '#client/fields/assignments/lines/choices.ts';
import type { EditorWords } from './editor-tools.tsx';
import {
  conditionsOf,
  filterOf,
  filtersOf,
  type Line,
  withCondition,
  withTarget,
} from '#client/fields/assignments/lines/lines.ts';

type BulkBarProps<L extends Line> = {
  lines: readonly L[];
  selected: ReadonlySet<string>;
  allFilters: boolean;
  targets: readonly TargetEntry[] | null;
  mostTargets: number | undefined;
  words: EditorWords;
  onLines: (lines: L[]) => void;
  onSelect: (selected: ReadonlySet<string>) => void;
};

/** Actions on all selected rows. Each action is one undo step. */
export function BulkBar<L extends Line>(props: BulkBarProps<L>) {
  const { lines, selected, allFilters, targets, words, onLines, onSelect } = props;
  const [choosing, setChoosing] = useState(false);
  const count = lines.filter(({ id }) => selected.has(id)).length;
  if (count === 0) return null;
  const change = (edit: (line: L) => L) => onLines(lines.map((line) => (selected.has(line.id) ? edit(line) : line)));
  const filter = (wanted: RowFilter) =>
    change((line) => {
      const [first] = conditionsOf(line);
      return first === undefined ? line : withCondition(line, 0, { ...first, filter: wanted });
    });
  const remove = () => {
    onLines(lines.filter(({ id }) => !selected.has(id)));
    onSelect(new Set());
  };
  return (
    <div className={classes.bulk} role="group" aria-label="Ausgewählte Zeilen">
      <span className="k-strong">{formatCount(count, 'Zeile', 'Zeilen')} ausgewählt</span>
      {targets === null ? (
        <TextTarget
          choosing={choosing}
          onChoosing={setChoosing}
          onTarget={(text) => change((line) => withTarget(line, { id: text, name: text, info: '' }))}
        />
      ) : choosing ? (
        <FieldPicker
          autoOpen
          className={classes.bulkTarget}
          label={`${words.targetName}: Ziel aller ausgewählten Zeilen`}
          groups={targetGroups(targets, [], 'x')}
          value=""
          most={props.mostTargets}
          placeholder="Tippen zum Suchen"
          nothing={targets.length === 0 ? words.noTargets : 'Nichts gefunden'}
          onChange={({ value }) =>
            change((line) => withTarget(line, value === NO_TARGET ? undefined : targets.find(({ id }) => id === value)))
          }
          onClose={() => setChoosing(false)}
        />
      ) : (
        <Button size="xs" variant="default" onClick={() => setChoosing(true)}>
          Ziel setzen …
        </Button>
      )}
      <NativeSelect
        size="xs"
        aria-label="Filter aller ausgewählten Zeilen"
        value=""
        onChange={({ currentTarget }) => {
          const wanted = filterOf(currentTarget.value);
          if (wanted !== undefined) filter(wanted);
        }}
        data={[
          { value: '', label: 'Filter setzen …' },
          ...filtersOf(allFilters).map((entry) => ({ value: entry.filter, label: entry.label })),
        ]}
      />
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlayerPlay size={14} aria-hidden />}
        onClick={() => change((line) => ({ ...line, active: true }))}
      >
        Aktivieren
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlayerPause size={14} aria-hidden />}
        onClick={() => change((line) => ({ ...line, active: false }))}
      >
        Pausieren
      </Button>
      <Button
        size="xs"
        variant="default"
        color="red"
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={remove}
      >
        Löschen
      </Button>
      <Button size="xs" variant="subtle" onClick={() => onSelect(new Set())}>
        Auswahl aufheben
      </Button>
    </div>
  );
}

type TextTargetProps = { choosing: boolean; onChoosing: (choosing: boolean) => void; onTarget: (text: string) => void };

/** Sets the target of all selected rows if targets are free text. */
function TextTarget({ choosing, onChoosing, onTarget }: TextTargetProps) {
  const [text, setText] = useState('');
  if (!choosing) {
    return (
      <Button size="xs" variant="default" onClick={() => onChoosing(true)}>
        Ziel setzen …
      </Button>
    );
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onTarget(text);
    onChoosing(false);
  };
  return (
    <form className="k-row" onSubmit={submit}>
      <TextInput
        size="xs"
        aria-label="Ziel aller ausgewählten Zeilen"
        placeholder="leer: kein Ziel"
        maxLength={500}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user opened it to type
        autoFocus
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Escape' && onChoosing(false)}
      />
      <Button size="xs" type="submit">
        Setzen
      </Button>
    </form>
  );
}
