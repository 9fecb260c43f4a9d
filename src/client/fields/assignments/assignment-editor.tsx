import { useMemo, useState } from 'react';
import type { TargetEntry } from '#shared/targets/schema.ts';
import { SaveBar } from '#client/editor/save-bar.tsx';
import { UndoButtons } from '#client/editor/undo/undo-buttons.tsx';
import { ScrollIntoView } from '#client/fields/scroll-into-view.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { AssignmentTable } from '#client/fields/assignments/table/assignment-table.tsx';
import classes from './assignments.module.css';
import { BulkBar } from './bulk-bar.tsx';
import type { SelectableField } from '#client/fields/assignments/lines/choices.ts';
import { type Dialog, Dialogs } from '#client/fields/assignments/dialogs/editor-dialogs.tsx';
import { EditTools, type EditorWords, ShowTools } from './editor-tools.tsx';
import { fieldlessWarning } from '#client/fields/assignments/lines/fieldless.ts';
import { type Line, sortedByValue } from '#client/fields/assignments/lines/lines.ts';
import { LinesViews } from './lines-views.tsx';
import { OpenItems } from './open-items.tsx';
import { RowItems } from './row-items.tsx';
import { type Made, useAppend } from '#client/fields/assignments/lines/use-append.ts';
import type { Counts, TableOf } from '#client/fields/assignments/lines/use-counts.ts';
import { useLineFacts } from '#client/fields/assignments/lines/use-line-facts.ts';
import type { LinesForm } from '#client/fields/assignments/lines/use-lines.ts';
import { useDebouncedValue } from '#client/fields/assignments/lines/use-debounced-value.ts';
import { useSources } from '#client/fields/assignments/lines/use-sources.ts';
import { useSuggestions } from '#client/fields/assignments/lines/use-suggestions.ts';
import { useView } from '#client/fields/assignments/lines/use-view.ts';

export type AssignmentEditorProps<L extends Line> = {
  form: LinesForm<L>;
  table: TableOf;
  masterid: string;
  fields: readonly SelectableField[];
  /** Null: the target is free text. */
  targets: readonly TargetEntry[] | null;
  /** False if the server does not know the table yet. */
  suggesting?: boolean;
  counts: Counts;
  words: EditorWords;
  newLine: (id: string) => L;
  lineOf: (made: Made) => L;
  allFilters?: boolean;
  /** CAT-03. */
  sortable?: boolean;
  /** MAP-03: 'Wert in Zielfeld übernehmen' is offered. */
  takeOver?: boolean;
  /** COL-01: each row carries its choices in hidden inputs. */
  hiddenInputs?: boolean;
  listHeight?: number;
  /** GEN-07: the shop system's target picker offers at most this many entries; categories, brands and colours are all offered. */
  mostTargets?: number;
  mayEdit: boolean;
};

/** The one editor of value mappings, shop-system mappings, categories, brands and colours. */
export function AssignmentEditor<L extends Line>(props: AssignmentEditorProps<L>) {
  const { form, table, fields, targets, counts, words, mayEdit, allFilters = false } = props;
  const { lines, setLines, loading, editor } = form;
  const [dialog, setDialog] = useState<Dialog>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState(false);
  const [checked, setChecked] = useState<string | null>(null);
  const [reveal, setReveal] = useState<{ id: string } | null>(null);
  const sources = useSources(fields, lines);
  // Work on all rows waits until typing pauses.
  const paused = useDebouncedValue(lines);
  const facts = useLineFacts(paused, targets, counts, sources);
  const view = useView(lines, facts);
  const suggestions = useSuggestions(
    table,
    paused,
    mayEdit && loading === null && props.suggesting !== false ? targets : null,
  );
  const { suggestionsOf } = suggestions;
  const append = useAppend(props);
  const offered = useOffered(paused, suggestionsOf);
  const show = (id: string) => {
    if (!view.shown.some((line) => line.id === id)) view.look('all', '');
    setReveal({ id });
  };
  return (
    <div className={`k-stack ${classes.page}`}>
      <ScrollIntoView of={editor.failure}>
        <ErrorNotice failure={editor.failure} onClose={editor.closeFailure} onRetry={() => void editor.save()} />
      </ScrollIntoView>
      <div className={classes.tools}>
        {mayEdit && (
          <EditTools
            disabled={loading !== null}
            words={words}
            offered={offered}
            suggestions={suggestions}
            onAdd={() => show(append.add())}
            onFetch={() => setDialog('fetch')}
            onPaste={() => setDialog('paste')}
            onAccept={() => setDialog('accept')}
            onSort={props.sortable === true ? () => setLines(sortedByValue(lines)) : undefined}
          />
        )}
        {mayEdit && (
          <div className={classes.undo}>
            <UndoButtons {...editor.steps} />
          </div>
        )}
      </div>
      <ShowTools
        disabled={loading !== null}
        lines={paused}
        facts={facts}
        words={words}
        view={view}
        opened={opened}
        onOpened={setOpened}
        views={<LinesViews view={view} loading={loading} counts={counts} />}
      />
      {mayEdit && (
        <BulkBar
          lines={lines}
          selected={selected}
          allFilters={allFilters}
          targets={targets}
          mostTargets={props.mostTargets}
          words={words}
          onLines={setLines}
          onSelect={setSelected}
        />
      )}
      <AssignmentTable
        words={words}
        lines={lines}
        loading={loading}
        shown={view.shown}
        facts={facts}
        sources={sources}
        allFilters={allFilters}
        targets={targets}
        listHeight={props.listHeight}
        mostTargets={props.mostTargets}
        hiddenInputs={props.hiddenInputs}
        suggestionsOf={suggestionsOf}
        selected={selected}
        mayEdit={mayEdit}
        reveal={reveal}
        onReveal={show}
        onLines={setLines}
        onSelect={setSelected}
        onCheck={({ id }) => setChecked(id)}
      />
      <RowItems
        table={table}
        masterid={props.masterid}
        lines={lines}
        rowid={checked}
        onClose={() => setChecked(null)}
      />
      {opened && (
        <OpenItems
          table={table}
          masterid={props.masterid}
          lines={lines}
          fields={fields}
          mayEdit={mayEdit}
          onRow={append.forValue}
        />
      )}
      <Saving {...props} />
      <Dialogs
        {...props}
        dialog={dialog}
        append={append}
        suggestionsOf={suggestionsOf}
        onClose={() => setDialog(null)}
      />
    </div>
  );
}

function Saving<L extends Line>({ form, words, mayEdit }: AssignmentEditorProps<L>) {
  const { dirty, changes, busy, save } = form.editor;
  const warning = useMemo(() => fieldlessWarning(form.lines), [form.lines]);
  return (
    <SaveBar
      always={mayEdit}
      dirty={dirty}
      count={changes}
      busy={busy}
      waiting={form.loading !== null}
      saveLabel={words.save}
      warning={mayEdit ? warning : undefined}
      onSave={() => void save()}
      onDiscard={form.discard}
    />
  );
}

/** Number of rows that have a suggestion. */
function useOffered<L extends Line>(lines: readonly L[], suggestionsOf: (line: L) => readonly unknown[]): number {
  return useMemo(() => lines.filter((line) => suggestionsOf(line).length > 0).length, [lines, suggestionsOf]);
}
