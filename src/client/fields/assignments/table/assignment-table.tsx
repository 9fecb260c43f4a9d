import IconTable from 'virtual:icons/table';
import { memo, type ReactNode, useMemo, useRef } from 'react';
import { toggleSecondCondition } from '#shared/assignments/schema.ts';
import type { TargetEntry } from '#shared/targets/schema.ts';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { useColumnWidths } from '#client/fields/use-column-widths.ts';
import { useNarrow } from '#client/ui/rows/use-narrow.ts';
import { formatInteger } from '#client/ui/text/formats.ts';
import { usePrinting } from '#client/ui/use-printing.ts';
import { SortableRows } from '#client/ui/rows/sortable-rows.tsx';
import type { PickerGroup } from '#client/fields/values/picker-groups.ts';
import classes from './assignment-table.module.css';
import cellsClasses from './cells.module.css';
import type { Suggested } from '#client/fields/assignments/lines/choices.ts';
import type { EditorWords } from '#client/fields/assignments/editor-tools.tsx';
import { HiddenInputs } from './hidden-inputs.tsx';
import { DeleteCell, LineCells } from './line-cells.tsx';
import {
  goneIn,
  heightOf,
  isCategory,
  isUnknown,
  type Line,
  type LineFacts,
  lineName,
  targetText,
} from '#client/fields/assignments/lines/lines.ts';
import { LoadingRows } from './loading-rows.tsx';
import { PlaceholderCells } from './placeholder-cells.tsx';
import type { Problem } from './target-cell.tsx';
import type { LinesForm } from '#client/fields/assignments/lines/use-lines.ts';
import { TableHead } from './table-head.tsx';
import { useReveal } from './use-reveal.ts';
import { useTargetStep } from './use-target-step.ts';

export type AssignmentTableProps<L extends Line> = {
  words: EditorWords;
  lines: readonly L[];
  /** Set while further rows are missing. */
  loading: LinesForm<L>['loading'];
  /** The filtered rows; sorting is possible only if all are shown. */
  shown: readonly L[];
  facts: LineFacts;
  sources: readonly PickerGroup[];
  allFilters: boolean;
  targets: readonly TargetEntry[] | null;
  listHeight?: number;
  mostTargets?: number;
  hiddenInputs?: boolean;
  suggestionsOf: (line: L) => readonly Suggested[];
  selected: ReadonlySet<string>;
  mayEdit: boolean;
  /** The row to scroll to; a new object requests it again. */
  reveal: { id: string } | null;
  onReveal: (id: string) => void;
  onLines: (lines: L[]) => void;
  onSelect: (selected: ReadonlySet<string>) => void;
  onCheck: (line: L) => void;
};

/** Pixels (assignment-table.module.css). */
const headHeight = 34;

/** Rows on paper, as texts: no controls, and all of them instead of the visible ones. */
const PRINTED = 1000;

/** MAP-02, CAT-02: the table of all five editors; of thousands of rows only the visible ones are drawn. */
export function AssignmentTable<L extends Line>(props: AssignmentTableProps<L>) {
  const { words, lines, loading, shown, facts, selected, mayEdit, onLines, onSelect } = props;
  const region = useRef<HTMLElement>(null);
  const narrow = useNarrow();
  const printing = usePrinting();
  const heights = useMemo(() => shown.map((line) => heightOf(line, facts, narrow)), [shown, facts, narrow]);
  const total = useMemo(() => heights.reduce((sum, height) => sum + height, headHeight), [heights]);
  useReveal(props.reveal, { region, shown, heights });
  const onStep = useTargetStep({ region, shown, heights });
  const [widths, setWidth] = useColumnWidths('assignmentColumns');
  const whole = shown.length === lines.length;
  const places = useMemo(() => (whole ? null : new Map(lines.map(({ id }, index) => [id, index]))), [lines, whole]);
  const placeOf = (line: L, index: number) => places?.get(line.id) ?? index;
  const cells = (line: L, handle: ReactNode, index: number) => (
    <Cells table={props} line={line} handle={handle} place={placeOf(line, index)} onStep={onStep} />
  );
  const passing = (line: L) => (
    <PlaceholderCells
      line={line}
      sources={props.sources}
      items={facts.counts?.[line.id] ?? null}
      target={targetText(line, facts)}
    />
  );
  if (lines.length === 0 && loading === null)
    return (
      <EmptyState icon={IconTable} title="Noch keine Zuweisung angelegt.">
        <p>Legen Sie eine Zeile an, oder holen Sie die Werte eines Feldes: Jeder Wert wird eine Zeile.</p>
      </EmptyState>
    );
  const allSelected = shown.length > 0 && shown.every(({ id }) => selected.has(id));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: a scroll region needs the focus
    <section ref={region} className={classes.region} aria-label={words.label} tabIndex={0}>
      {/* Rows are replaced one by one: without this height the region would be shorter for a moment, and scroll. */}
      <div style={{ minHeight: total }}>
        <table className={classes.table} aria-rowcount={shown.length + (loading?.missing ?? 0) + 1}>
          <TableHead
            targetName={words.targetName}
            withAnd={lines.some(isCategory)}
            allSelected={allSelected}
            mayEdit={mayEdit}
            onSelectAll={() => onSelect(allSelected ? new Set() : new Set(shown.map(({ id }) => id)))}
            widths={widths}
            onWidth={setWidth}
          />
          <SortableRows
            element="tbody"
            rows={shown}
            rowId={({ id }) => id}
            rowName={(line, index) => lineName(line, placeOf(line, index))}
            rowClassName={(line) => (line.active ? (classes.row ?? '') : `${classes.row} ${classes.paused}`)}
            scrolling={{ region, heights, passing }}
            sortable={whole && mayEdit && loading === null}
            loneHandle
            onOrder={onLines}
          >
            {cells}
          </SortableRows>
          {printing && (
            <tbody className={classes.printed}>
              {shown.slice(0, PRINTED).map((line) => (
                <tr key={line.id} className={classes.row}>
                  {passing(line)}
                </tr>
              ))}
            </tbody>
          )}
        </table>
      </div>
      {printing && shown.length > PRINTED && (
        <p>
          Gedruckt sind die ersten {formatInteger(PRINTED)} von {formatInteger(shown.length)} Zeilen.
        </p>
      )}
      {loading !== null && <LoadingRows {...loading} there={lines.length} />}
      {shown.length === 0 && loading === null && <p className={classes.nothing}>Keine Zeile passt zur Auswahl.</p>}
    </section>
  );
}

type CellsProps<L extends Line> = {
  /** The table's own props: the same object while the table only scrolls. */
  table: AssignmentTableProps<L>;
  line: L;
  place: number;
  /** Moves to the target of the next row, or of the previous one. */
  onStep: (id: string, by: 1 | -1) => void;
};

function putter<L extends Line>({ lines, onLines }: AssignmentTableProps<L>) {
  return (next: L) =>
    onLines(
      lines.with(
        lines.findIndex(({ id }) => id === next.id),
        next,
      ),
    );
}

function Cells<L extends Line>({ handle, ...cells }: CellsProps<L> & { handle: ReactNode }) {
  return (
    <>
      <FirstCell table={cells.table} line={cells.line} place={cells.place} handle={handle} />
      <OtherCells {...cells} />
    </>
  );
}

/** The cell with the controls that sort and select the row. */
function FirstCell<L extends Line>({
  table,
  line,
  place,
  handle,
}: Omit<CellsProps<L>, 'onStep'> & { handle: ReactNode }) {
  const { selected, mayEdit, onSelect } = table;
  const name = `Zeile ${place + 1}`;
  const select = (on: boolean) => {
    const next = new Set(selected);
    if (on) next.add(line.id);
    else next.delete(line.id);
    onSelect(next);
  };
  return (
    <td>
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
            onClick={() => putter(table)({ ...line, ...toggleSecondCondition(line) })}
          >
            {line.field.length === 1 ? 'Wenn' : 'Und'}
          </button>
        )}
        {table.hiddenInputs === true && <HiddenInputs line={line} targets={table.targets} />}
      </span>
    </td>
  );
}

/** Memoized: while a row is dragged past others, only their handles change. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- memo loses the function's generic type
const OtherCells = memo(PlainCells) as typeof PlainCells;

function PlainCells<L extends Line>({ table, line, place, onStep }: CellsProps<L>) {
  const { facts, lines, mayEdit, onLines } = table;
  const name = `Zeile ${place + 1}`;
  const put = putter(table);
  return (
    <>
      <LineCells
        line={line}
        name={name}
        mayEdit={mayEdit}
        sources={table.sources}
        allFilters={table.allFilters}
        target={targetText(line, facts)}
        targets={table.targets}
        words={table.words}
        listHeight={table.listHeight}
        mostTargets={table.mostTargets}
        suggested={table.suggestionsOf(line)}
        items={facts.counts?.[line.id] ?? null}
        gone={goneIn(line, facts)}
        problem={problemOf(line, facts, lines)}
        onChange={put}
        onReveal={table.onReveal}
        onStep={onStep}
        onCheck={() => table.onCheck(line)}
      />
      <td className={classes.switches}>
        <input
          type="checkbox"
          role="switch"
          className={cellsClasses.switch}
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

/** Returns the worst problem of a row. That it wins no item is shown in its count. */
function problemOf(line: Line, facts: LineFacts, lines: readonly Line[]): Problem | null {
  if (isUnknown(line, facts)) return { kind: 'unknown' };
  const by = facts.shadowed.get(line.id);
  return by === undefined ? null : { kind: 'shadowed', by, place: lines.findIndex(({ id }) => id === by) + 1 };
}
