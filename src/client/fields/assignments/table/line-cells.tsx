import IconAlertTriangle from 'virtual:icons/alert-triangle';
import IconTrash from 'virtual:icons/trash';
import type { ReactNode } from 'react';
import type { RowCondition } from '#shared/assignments/schema.ts';
import type { SourcePart } from '#shared/construction/schema.ts';
import { formatInteger } from '#client/ui/text/formats.ts';
import { oneLine } from '#client/ui/form/one-line.ts';
import { FieldPicker } from '#client/fields/values/field-picker.tsx';
import { HiddenChoice } from '#client/fields/values/hidden-choice.tsx';
import { entryOf, type PickerGroup } from '#client/fields/values/picker-groups.ts';
import classes from './assignment-table.module.css';
import cellsClasses from './cells.module.css';
import { CellButton } from './cell-button.tsx';
import {
  conditionsOf,
  filterOf,
  filtersOf,
  isCategory,
  type Line,
  withCondition,
} from '#client/fields/assignments/lines/lines.ts';
import { TargetCell, type TargetCellProps } from './target-cell.tsx';

export type LineCellsProps<L extends Line> = TargetCellProps<L> & {
  sources: readonly PickerGroup[];
  allFilters: boolean;
  /** Null: not counted yet. */
  items: number | null;
  /** A sentence about a field that the catalogue no longer has. */
  gone: string | undefined;
  onCheck: () => void;
};

/** The cells between a row's handle and its switches. */
export function LineCells<L extends Line>(props: LineCellsProps<L>) {
  const { line, name, items, gone, mayEdit } = props;
  const conditions = conditionsOf(line);
  const put = (index: number, condition: RowCondition) => props.onChange(withCondition(line, index, condition));
  const stacked = (cell: (condition: RowCondition, index: number, name: string) => ReactNode) => (
    <div className={cellsClasses.stack}>
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
          <>
            <SourceCell
              label={`${label}: Feld`}
              source={condition.input}
              groups={props.sources}
              disabled={!mayEdit}
              onChange={(input) => put(index, { ...condition, input })}
            />
            <HiddenChoice
              purpose={`rows.${line.id}.field.${index}`}
              type={condition.input.type}
              value={condition.input.value}
            />
          </>
        ))}
        {gone !== undefined && (
          <span className={cellsClasses.problem} title={gone}>
            <IconAlertTriangle size={13} aria-hidden />
            <span>{gone}</span>
          </span>
        )}
      </td>
      <td data-label="Filter">
        {stacked((condition, index, label) => (
          <select
            className={cellsClasses.input}
            aria-label={`${label}: Filter`}
            disabled={!mayEdit}
            value={condition.filter}
            onChange={({ currentTarget }) =>
              put(index, { ...condition, filter: filterOf(currentTarget.value) ?? condition.filter })
            }
          >
            {filtersOf(props.allFilters || isCategory(line), condition.filter).map(({ filter, label: text }) => (
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
            className={cellsClasses.input}
            aria-label={`${label}: Wert`}
            maxLength={10_000}
            spellCheck={false}
            readOnly={!mayEdit}
            {...oneLine(condition.value, (value) => put(index, { ...condition, value }))}
          />
        ))}
      </td>
      <td data-target data-label="Ziel">
        <TargetCell {...props} />
        <HiddenChoice purpose={`rows.${line.id}.target`} type="_string" value={line.target} />
      </td>
      <td className={classes.items}>
        <button
          type="button"
          className={cellsClasses.check}
          title="prüfen"
          aria-label={`${name}: prüfen`}
          onClick={props.onCheck}
        >
          <span className={items === 0 ? cellsClasses.none : undefined}>
            {items === null ? '…' : formatInteger(items)}
          </span>
        </button>
      </td>
    </>
  );
}

type SourceCellProps = {
  label: string;
  source: SourcePart;
  groups: readonly PickerGroup[];
  disabled: boolean;
  onChange: (source: SourcePart) => void;
};

function SourceCell({ label, source, groups, disabled, onChange }: SourceCellProps) {
  return (
    <CellButton label={label} text={sourceText(source, groups)} placeholder="Feld wählen" disabled={disabled}>
      {(close) => (
        <FieldPicker
          autoOpen
          freeText
          label={label}
          groups={groups}
          value={source.value}
          type={source.type}
          purpose={null}
          onChange={({ type, value, name }) => onChange({ type, value, caption: name })}
          onClose={close}
        />
      )}
    </CellButton>
  );
}

const isFixed = ({ type, value }: SourcePart): boolean => (type === '_string' || type === '_default') && value !== '';

/** Returns a field's name; for a fixed text, the text in quotes. */
function sourceText(source: SourcePart, groups: readonly PickerGroup[]): string {
  if (isFixed(source)) return `„${source.value}“`;
  return entryOf(groups, source.value, source.type)?.name ?? source.value;
}

export function DeleteCell({ name, onDelete }: { name: string; onDelete: () => void }) {
  return (
    <button
      type="button"
      className={cellsClasses.delete}
      aria-label={`${name} löschen`}
      title="Löschen"
      onClick={onDelete}
    >
      <IconTrash size={16} aria-hidden />
    </button>
  );
}
