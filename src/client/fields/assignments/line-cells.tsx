import { IconAlertTriangle, IconArrowForwardUp, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { RowCondition } from '#shared/assignments.ts';
import type { SourcePart } from '#shared/construction.ts';
import type { TargetEntry } from '#shared/targets.ts';
import { formatInteger, formatPercent } from '../../ui/formats.ts';
import { FieldPicker } from '../field-picker.tsx';
import { entryOf, type PickerGroup } from '../picker-groups.ts';
import classes from './assignments.module.css';
import { NO_TARGET, type Suggested, targetGroups } from './choices.ts';
import { conditionsOf, filterOf, filtersOf, isCategory, type Line, withCondition, withTarget } from './lines.ts';

/** Options of the target picker (GEN-07). */
const mostTargets = 500;

export type LineCellsProps<L extends Line> = {
  line: L;
  /** „Zeile 3“, for the names of its controls. */
  name: string;
  mayEdit: boolean;
  sources: readonly PickerGroup[];
  allFilters: boolean;
  /** Null: the target is a text of one's own. */
  targets: readonly TargetEntry[] | null;
  targetName: string;
  listHeight?: number;
  suggested: readonly Suggested[];
  items: number | null;
  problem: string | null;
  onChange: (line: L) => void;
  onCheck?: () => void;
};

/** The cells between a row's handle and its switches. */
export function LineCells<L extends Line>(props: LineCellsProps<L>) {
  const { line, name, items, problem, onCheck } = props;
  const conditions = conditionsOf(line);
  const put = (index: number, condition: RowCondition) => props.onChange(withCondition(line, index, condition));
  const stacked = (cell: (condition: RowCondition, index: number, name: string) => ReactNode) => (
    <div className={classes.stack}>
      {conditions.map((condition, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a row has a first and perhaps a second condition
        <div key={index}>
          {cell(condition, index, conditions.length > 1 ? `${name}, Bedingung ${index + 1}` : name)}
        </div>
      ))}
    </div>
  );
  return (
    <>
      <td data-label="Feld">
        {stacked((condition, index, label) => (
          <SourceCell
            label={`${label}: Feld`}
            source={condition.input}
            groups={props.sources}
            disabled={!props.mayEdit}
            onChange={(input) => put(index, { ...condition, input })}
          />
        ))}
      </td>
      <td data-label="Filter">
        {stacked((condition, index, label) => (
          <select
            className={classes.input}
            aria-label={`${label}: Filter`}
            value={condition.filter}
            onChange={({ currentTarget }) =>
              put(index, { ...condition, filter: filterOf(currentTarget.value) ?? condition.filter })
            }
          >
            {filtersOf(props.allFilters || isCategory(line)).map(({ filter, label: text }) => (
              <option key={filter} value={filter}>
                {text}
              </option>
            ))}
          </select>
        ))}
      </td>
      <td data-label="Wert">
        {stacked((condition, index, label) => (
          <input
            className={classes.input}
            aria-label={`${label}: Wert`}
            maxLength={10_000}
            spellCheck={false}
            value={condition.value}
            onChange={({ currentTarget }) => put(index, { ...condition, value: currentTarget.value })}
          />
        ))}
      </td>
      <td data-label={props.targetName}>
        <TargetCell {...props} />
      </td>
      <td data-label="Items" className={classes.items}>
        <span className="k-row" style={{ gap: 4, justifyContent: 'flex-end', flexWrap: 'nowrap' }}>
          {problem !== null && (
            <span className={classes.problem} title={problem}>
              <IconAlertTriangle size={15} aria-hidden />
              <span className="k-hidden">{problem}</span>
            </span>
          )}
          {onCheck === undefined ? (
            <ItemCount items={items} />
          ) : (
            <button
              type="button"
              className={classes.check}
              title="prüfen"
              aria-label={`${name}: prüfen`}
              onClick={onCheck}
            >
              <ItemCount items={items} />
            </button>
          )}
        </span>
      </td>
    </>
  );
}

const ItemCount = ({ items }: { items: number | null }) => (
  <span className={items === 0 ? 'k-muted' : undefined}>{items === null ? '…' : formatInteger(items)}</span>
);

type SourceCellProps = {
  label: string;
  source: SourcePart;
  groups: readonly PickerGroup[];
  disabled: boolean;
  onChange: (source: SourcePart) => void;
};

/** A text that becomes a picker when somebody chooses in it: thousands of pickers at once would be slow. */
function SourceCell({ label, source, groups, disabled, onChange }: SourceCellProps) {
  const [opened, setOpened] = useState(false);
  if (opened)
    return (
      <FieldPicker
        autoOpen
        label={label}
        groups={groups}
        value={source.value}
        onChange={({ type, value, name }) => onChange({ type, value, caption: name })}
        onClose={() => setOpened(false)}
      />
    );
  const text = source.type === '_string' ? source.value : (entryOf(groups, source.value)?.name ?? source.value);
  return (
    <CellButton
      label={label}
      text={text}
      placeholder="Feld wählen"
      disabled={disabled}
      onOpen={() => setOpened(true)}
    />
  );
}

type CellButtonProps = { label: string; text: string; placeholder: string; disabled: boolean; onOpen: () => void };

function CellButton({ label, text, placeholder, disabled, onOpen }: CellButtonProps) {
  return (
    <button
      type="button"
      className={classes.cell}
      aria-label={`${label}, ${text === '' ? placeholder : text}`}
      title={text}
      disabled={disabled}
      onClick={onOpen}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        onOpen();
      }}
    >
      {text === '' ? <span className="k-muted">{placeholder}</span> : text}
    </button>
  );
}

/** The target: a text of one's own, or one of a list with suggestions above it. */
function TargetCell<L extends Line>(props: LineCellsProps<L>) {
  const { line, name, mayEdit, targets, targetName, suggested, listHeight, onChange } = props;
  const [opened, setOpened] = useState(false);
  if (targets === null) {
    return (
      <input
        className={classes.input}
        aria-label={`${name}: ${targetName}`}
        maxLength={500}
        value={line.target}
        onChange={({ currentTarget: { value } }) => onChange(withTarget(line, { id: value, name: value, info: '' }))}
      />
    );
  }
  if (opened) {
    const choose = (id: string) =>
      onChange(
        withTarget(line, id === NO_TARGET ? undefined : [...targets, ...suggested].find((entry) => entry.id === id)),
      );
    return (
      <FieldPicker
        autoOpen
        label={`${name}: ${targetName}`}
        groups={targetGroups(targets, suggested, line.target)}
        value={line.target}
        most={mostTargets}
        listHeight={listHeight}
        placeholder="Tippen zum Suchen"
        onChange={({ value }) => choose(value)}
        onClose={() => setOpened(false)}
      />
    );
  }
  const [best] = suggested;
  return (
    <div className={classes.target}>
      <CellButton
        label={`${name}: ${targetName}`}
        text={line.catname === '' ? line.target : line.catname}
        placeholder="wählen"
        disabled={!mayEdit}
        onOpen={() => setOpened(true)}
      />
      {isCategory(line) && line.producttyp !== '' && <span className={classes.type}>{line.producttyp}</span>}
      {line.target === '' && best !== undefined && mayEdit && (
        <button
          type="button"
          className={classes.suggestion}
          title={`${best.name} · ${best.reason}`}
          aria-label={`${name}: Vorschlag ${best.name} übernehmen, ${formatPercent(best.confidence)}, ${best.reason}`}
          onClick={() => onChange(withTarget(line, best))}
        >
          <IconArrowForwardUp size={13} aria-hidden />
          <span className={classes.suggested}>{best.name}</span>
          <span>{formatPercent(best.confidence)}</span>
        </button>
      )}
    </div>
  );
}

export function DeleteCell({ name, onDelete }: { name: string; onDelete: () => void }) {
  return (
    <button type="button" className={classes.delete} aria-label={`${name} löschen`} title="Löschen" onClick={onDelete}>
      <IconTrash size={16} aria-hidden />
    </button>
  );
}
