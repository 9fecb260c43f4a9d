import { IconTable } from '@tabler/icons-react';
import { type ReactNode, useMemo, useRef } from 'react';
import { toggleSecondCondition } from '#shared/assignments.ts';
import type { TargetEntry } from '#shared/targets.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useRowWindow } from '../../ui/row-window.ts';
import { SortableRows } from '../../ui/sortable-rows.tsx';
import type { PickerGroup } from '../picker-groups.ts';
import classes from './assignments.module.css';
import type { Suggested } from './choices.ts';
import { DeleteCell, LineCells } from './line-cells.tsx';
import { conditionsOf, isCategory, type Line, type LineFacts, lineName } from './lines.ts';

export type AssignmentTableProps<L extends Line> = {
  /** „Kategoriezuordnungen“ */
  label: string;
  /** „Weise Wert zu“, „Weise Kategorie zu“. */
  targetName: string;
  lines: readonly L[];
  /** Of those the ones that are shown; they are sorted only where all are. */
  shown: readonly L[];
  facts: LineFacts;
  sources: readonly PickerGroup[];
  allFilters?: boolean;
  targets: readonly TargetEntry[] | null;
  listHeight?: number;
  suggestionsOf: (line: L) => readonly Suggested[];
  selected: ReadonlySet<string>;
  mayEdit: boolean;
  onLines: (lines: L[]) => void;
  onSelect: (selected: ReadonlySet<string>) => void;
  onCheck?: (line: L) => void;
  empty: ReactNode;
};

/** Pixels of a row with one condition, and what a second one adds. */
const rowHeight = 45;
const conditionHeight = 36;

/** MAP-02, CAT-02: the table of all five editors; of thousands of rows those in sight are drawn. */
export function AssignmentTable<L extends Line>(props: AssignmentTableProps<L>) {
  const { label, targetName, lines, shown, selected, mayEdit, onLines, onSelect } = props;
  const region = useRef<HTMLElement>(null);
  const heights = useMemo(
    () => shown.map((line) => rowHeight + (conditionsOf(line).length - 1) * conditionHeight),
    [shown],
  );
  const window = useRowWindow(heights, region);
  const places = useMemo(() => new Map(lines.map(({ id }, index) => [id, index])), [lines]);
  const put = (line: L) => onLines(lines.with(places.get(line.id) ?? 0, line));
  const whole = shown.length === lines.length;
  if (lines.length === 0)
    return (
      <EmptyState icon={IconTable} title="Noch keine Zuweisung angelegt.">
        {props.empty}
      </EmptyState>
    );
  const allSelected = shown.length > 0 && shown.every(({ id }) => selected.has(id));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: a scroll region needs the focus
    <section ref={region} className={classes.region} aria-label={label} tabIndex={0}>
      <table className={classes.table} aria-rowcount={shown.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className={classes.handles}>
              <input
                type="checkbox"
                aria-label="Alle gezeigten Zeilen auswählen"
                checked={allSelected}
                disabled={!mayEdit}
                onChange={() => onSelect(allSelected ? new Set() : new Set(shown.map(({ id }) => id)))}
              />
            </th>
            <th scope="col">Feld</th>
            <th scope="col" className={classes.filters}>
              Filter
            </th>
            <th scope="col">Wert</th>
            <th scope="col" className={classes.targets}>
              {targetName}
            </th>
            <th scope="col" className={classes.counts}>
              Items
            </th>
            <th scope="col" className={classes.switches}>
              Aktiv
            </th>
            <th scope="col" className={classes.deletes}>
              Löschen
            </th>
          </tr>
        </thead>
        <SortableRows
          element="tbody"
          rows={shown}
          rowId={({ id }) => id}
          rowName={(line) => lineName(line, places.get(line.id) ?? 0)}
          rowClassName={(line) => (line.active ? (classes.row ?? '') : `${classes.row} ${classes.paused}`)}
          window={shown.length > 60 ? window : undefined}
          onOrder={(order) => (whole ? onLines(order) : undefined)}
        >
          {(line, handle) => (
            <Cells {...props} line={line} handle={whole && mayEdit ? handle : null} places={places} put={put} />
          )}
        </SortableRows>
      </table>
    </section>
  );
}

type CellsProps<L extends Line> = AssignmentTableProps<L> & {
  line: L;
  handle: ReactNode;
  places: ReadonlyMap<string, number>;
  put: (line: L) => void;
};

function Cells<L extends Line>({ line, handle, places, put, ...table }: CellsProps<L>) {
  const { facts, lines, selected, mayEdit, onLines, onSelect, onCheck } = table;
  const name = `Zeile ${(places.get(line.id) ?? 0) + 1}`;
  const select = (on: boolean) => {
    const next = new Set(selected);
    if (on) next.add(line.id);
    else next.delete(line.id);
    onSelect(next);
  };
  return (
    <>
      <td className={classes.handles}>
        <span className={classes.begin}>
          <input
            type="checkbox"
            aria-label={`${name} auswählen`}
            checked={selected.has(line.id)}
            disabled={!mayEdit}
            onChange={({ currentTarget }) => select(currentTarget.checked)}
          />
          {handle}
          {isCategory(line) && (
            <button
              type="button"
              className={classes.and}
              disabled={!mayEdit}
              title={line.field.length === 1 ? 'Zweite Bedingung hinzufügen' : 'Zweite Bedingung entfernen'}
              aria-pressed={line.field.length > 1}
              aria-label={`${name}: ${line.field.length === 1 ? 'Wenn' : 'Und'}`}
              onClick={() => put({ ...line, ...toggleSecondCondition(line) })}
            >
              {line.field.length === 1 ? 'Wenn' : 'Und'}
            </button>
          )}
        </span>
      </td>
      <LineCells
        line={line}
        name={name}
        mayEdit={mayEdit}
        sources={table.sources}
        allFilters={table.allFilters ?? false}
        targets={table.targets}
        targetName={table.targetName}
        listHeight={table.listHeight}
        suggested={table.suggestionsOf(line)}
        items={facts.counts === null ? null : (facts.counts[line.id] ?? 0)}
        problem={problemOf(line, facts, places)}
        onChange={put}
        onCheck={onCheck === undefined ? undefined : () => onCheck(line)}
      />
      <td className={classes.switches}>
        <input
          type="checkbox"
          role="switch"
          className={classes.switch}
          aria-label={`${name}: Aktiv`}
          checked={line.active}
          aria-checked={line.active}
          disabled={!mayEdit}
          onChange={({ currentTarget }) => put({ ...line, active: currentTarget.checked })}
        />
      </td>
      <td className={classes.deletes}>
        {mayEdit && <DeleteCell name={name} onDelete={() => onLines(lines.filter(({ id }) => id !== line.id))} />}
      </td>
    </>
  );
}

/** What a merchant should know of a row; the worst first. */
function problemOf(
  line: Line,
  { known, shadowed, counts }: LineFacts,
  places: ReadonlyMap<string, number>,
): string | null {
  if (line.target !== '' && known !== null && !known.has(line.target))
    return 'Dieses Ziel gibt es in der geladenen Liste nicht (mehr).';
  const by = shadowed.get(line.id);
  if (by !== undefined) return `Kommt nie zum Zug: Zeile ${(places.get(by) ?? 0) + 1} fängt alles ab.`;
  if (line.active && counts !== null && (counts[line.id] ?? 0) === 0) return 'Trifft zurzeit keinen Artikel.';
  return null;
}
