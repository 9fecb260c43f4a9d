import IconAlertTriangle from 'virtual:icons/alert-triangle';
import IconArrowForwardUp from 'virtual:icons/arrow-forward-up';
import { useRef } from 'react';
import type { TargetEntry } from '#shared/targets/schema.ts';
import { formatPercent } from '#client/ui/text/formats.ts';
import { oneLine } from '#client/ui/form/one-line.ts';
import { FieldPicker } from '#client/fields/values/field-picker.tsx';
import classes from './cells.module.css';
import { CellButton } from './cell-button.tsx';
import { stepOf } from './use-target-step.ts';
import { NO_TARGET, type Suggested, targetGroups } from '#client/fields/assignments/lines/choices.ts';
import type { EditorWords } from '#client/fields/assignments/editor-tools.tsx';
import { isCategory, type Line, withTarget } from '#client/fields/assignments/lines/lines.ts';

/** A row's problem. `place` is the position, from 1, of the row that takes all its items. */
export type Problem = { kind: 'unknown' } | { kind: 'shadowed'; by: string; place: number };

export type TargetCellProps<L extends Line> = {
  line: L;
  /** „Zeile 3“, for the labels of its controls. */
  name: string;
  mayEdit: boolean;
  /** The name of its target. */
  target: string;
  /** Null: the target is free text. */
  targets: readonly TargetEntry[] | null;
  words: EditorWords;
  listHeight?: number;
  /** GEN-07: at most this many options. */
  mostTargets?: number;
  suggested: readonly Suggested[];
  problem: Problem | null;
  onChange: (line: L) => void;
  onReveal: (id: string) => void;
  onStep: (id: string, by: 1 | -1) => void;
};

/** The target of a row, its details from the list, and its problem. */
export function TargetCell<L extends Line>(props: TargetCellProps<L>) {
  const { line, problem, onReveal } = props;
  return (
    <>
      <div className={classes.typed}>
        <TargetChoice {...props} />
        {isCategory(line) && line.producttyp !== '' && (
          <span className={classes.type} title={`Produkttyp: ${line.producttyp}`}>
            <span className="k-hidden">Produkttyp: </span>
            {line.producttyp}
          </span>
        )}
      </div>
      {problem !== null && (
        <span className={classes.problem}>
          <IconAlertTriangle size={13} aria-hidden />
          {problem.kind === 'unknown' ? (
            <span>Dieses Ziel gibt es in der Liste nicht mehr.</span>
          ) : (
            <span>
              Kommt nie zum Zug:{' '}
              <button type="button" onClick={() => onReveal(problem.by)}>
                Zeile {problem.place}
              </button>{' '}
              fängt alles ab.
            </span>
          )}
        </span>
      )}
    </>
  );
}

/** A free text, or an entry of a list with suggestions above it. */
function TargetChoice<L extends Line>(props: TargetCellProps<L>) {
  const { line, name, mayEdit, targets, words, suggested, onChange, onStep } = props;
  const chosenByKey = useRef(false);
  const label = `${name}: ${words.targetName}`;
  if (targets === null) {
    return (
      <input
        className={classes.input}
        aria-label={label}
        maxLength={500}
        readOnly={!mayEdit}
        {...oneLine(line.target, (value) => onChange(withTarget(line, { id: value, name: value, info: '' })))}
        onKeyDown={(event) => {
          const by = stepOf(event);
          if (by === 0 || event.nativeEvent.isComposing) return;
          event.preventDefault();
          onStep(line.id, by);
        }}
      />
    );
  }
  const choose = (id: string) => {
    onChange(
      withTarget(line, id === NO_TARGET ? undefined : [...targets, ...suggested].find((entry) => entry.id === id)),
    );
    // After a choice by Enter the focus moves on to the next row, once this cell is a button again.
    if (chosenByKey.current) requestAnimationFrame(() => onStep(line.id, 1));
  };
  const [best] = suggested;
  return (
    <div className={classes.target}>
      <CellButton
        label={label}
        text={props.target}
        placeholder="wählen"
        disabled={!mayEdit}
        endFirst
        onStep={(by) => onStep(line.id, by)}
      >
        {(close) => (
          <div
            role="presentation"
            className={classes.picking}
            onKeyDownCapture={({ key }) => (chosenByKey.current = key === 'Enter')}
            onPointerDownCapture={() => (chosenByKey.current = false)}
          >
            <FieldPicker
              autoOpen
              label={label}
              groups={targetGroups(targets, suggested, line.target)}
              value={line.target}
              purpose={null}
              most={props.mostTargets}
              listHeight={props.listHeight}
              placeholder="Tippen zum Suchen"
              nothing={targets.length === 0 ? words.noTargets : 'Nichts gefunden'}
              onChange={({ value }) => choose(value)}
              onClose={close}
            />
          </div>
        )}
      </CellButton>
      {line.target === '' && best !== undefined && mayEdit && (
        <button
          type="button"
          className={classes.suggestion}
          title={`${best.name} · ${best.reason}`}
          aria-label={`${name}: Vorschlag ${best.name} übernehmen, ${formatPercent(best.confidence)}, ${best.reason}`}
          onClick={() => onChange(withTarget(line, best))}
        >
          <IconArrowForwardUp size={13} aria-hidden />
          <span className={classes.path}>
            <bdi>{best.name}</bdi>
          </span>
          <span>{formatPercent(best.confidence)}</span>
        </button>
      )}
    </div>
  );
}
