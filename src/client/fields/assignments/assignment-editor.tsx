import { useMemo, useState } from 'react';
import { shadowedRows } from '#shared/assignment-check.ts';
import type { TargetEntry } from '#shared/targets.ts';
import { formatCount } from '../../ui/formats.ts';
import { showSaved } from '../../ui/notices.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { UndoButtons } from '../../ui/undo-buttons.tsx';
import { UnsavedGuard } from '../../ui/unsaved-guard.tsx';
import { InSight } from '../in-sight.tsx';
import { SaveFailureNotice } from '../save-failure-notice.tsx';
import { AssignmentTable } from './assignment-table.tsx';
import classes from './assignments.module.css';
import { BulkBar } from './bulk-bar.tsx';
import { type SelectableField, sourceGroups } from './choices.ts';
import { type Dialog, Dialogs } from './editor-dialogs.tsx';
import { EditTools, type EditorWords, ShowTools } from './editor-tools.tsx';
import { hasState, hasText, type Line, type LineFacts, type LineState, sortedByValue } from './lines.ts';
import { OpenItems } from './open-items.tsx';
import { type Made, useAppend } from './use-append.ts';
import type { Counts, TableOf } from './use-counts.ts';
import type { LinesForm } from './use-lines.ts';
import { useSuggestions } from './use-suggestions.ts';

type AssignmentEditorProps<L extends Line> = {
  form: LinesForm<L>;
  table: TableOf;
  masterid: string;
  fields: readonly SelectableField[];
  targets: readonly TargetEntry[] | null;
  counts: Counts;
  words: EditorWords;
  newLine: (id: string) => L;
  lineOf: (made: Made) => L;
  allFilters?: boolean;
  /** CAT-03. */
  sortable?: boolean;
  /** MAP-03: 'Wert in Zielfeld übernehmen' is offered. */
  takeOver?: boolean;
  listHeight?: number;
  mayEdit: boolean;
  /** Changes of the screen beside the rows, which are saved with them. */
  alsoDirty?: boolean;
  staysInForm?: (pathname: string) => boolean;
};

/** The one editor of value mappings, shop-system mappings, categories, brands and colours. */
export function AssignmentEditor<L extends Line>(props: AssignmentEditorProps<L>) {
  const { form, table, fields, targets, counts, words, mayEdit, allFilters = false } = props;
  const { lines, setLines } = form;
  const [dialog, setDialog] = useState<Dialog>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [search, setSearch] = useState('');
  const [state, setState] = useState<LineState>('all');
  const [opened, setOpened] = useState(false);
  const sources = useMemo(() => sourceGroups(fields), [fields]);
  const facts = useFacts(lines, targets, counts);
  const { suggestionsOf } = useSuggestions(table, lines, mayEdit && targets !== null && targets.length > 0);
  const shown = useMemo(
    () =>
      state === 'all' && search.trim() === ''
        ? lines
        : lines.filter((line) => hasState(line, state, facts) && hasText(line, search)),
    [lines, state, search, facts],
  );
  const append = useAppend(props);
  const offered = lines.filter((line) => suggestionsOf(line).length > 0).length;
  const dirty = form.changes > 0 || props.alsoDirty === true;
  const check = (line: L) => {
    counts.retry();
    const items = counts.answer?.rows[line.id];
    if (items !== undefined) showSaved(`Diese Zeile trifft ${formatCount(items, 'Artikel', 'Artikel')}.`);
  };
  return (
    <div className="k-stack">
      <InSight of={form.failure}>
        <SaveFailureNotice
          failure={form.failure}
          onClose={form.closeFailure}
          onReload={form.reload}
          onSaveAnyway={() => void form.save(true)}
        />
      </InSight>
      <div className={classes.tools}>
        {mayEdit && (
          <EditTools
            words={words}
            offered={offered}
            onAdd={append.add}
            onFetch={() => setDialog('fetch')}
            onPaste={() => setDialog('paste')}
            onAccept={() => setDialog('accept')}
            onSort={props.sortable === true ? () => setLines(sortedByValue(lines)) : undefined}
          />
        )}
        <div style={{ flex: 1 }} />
        {mayEdit && (
          <UndoButtons canUndo={form.canUndo} canRedo={form.canRedo} onUndo={form.undo} onRedo={form.redo} said="" />
        )}
      </div>
      <ShowTools
        lines={lines}
        facts={facts}
        words={words}
        search={search}
        state={state}
        opened={opened}
        onSearch={setSearch}
        onState={setState}
        onOpened={setOpened}
      />
      {mayEdit && (
        <BulkBar
          lines={lines}
          selected={selected}
          allFilters={allFilters}
          targets={targets}
          targetName={words.targetName}
          onLines={setLines}
          onSelect={setSelected}
        />
      )}
      <AssignmentTable
        label={words.label}
        targetName={words.targetName}
        lines={lines}
        shown={shown}
        facts={facts}
        sources={sources}
        allFilters={allFilters}
        targets={targets}
        listHeight={props.listHeight}
        suggestionsOf={suggestionsOf}
        selected={selected}
        mayEdit={mayEdit}
        onLines={setLines}
        onSelect={setSelected}
        onCheck={check}
        empty={<p>Legen Sie eine Zeile an, oder holen Sie die Werte eines Feldes: je Wert eine Zeile.</p>}
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
      <Saving form={form} words={words} dirty={dirty} mayEdit={mayEdit} staysInForm={props.staysInForm} />
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

type SavingProps = {
  form: Pick<LinesForm<Line>, 'changes' | 'busy' | 'save' | 'discard'>;
  words: EditorWords;
  dirty: boolean;
  mayEdit: boolean;
  staysInForm: ((pathname: string) => boolean) | undefined;
};

function Saving({ form, words, dirty, mayEdit, staysInForm }: SavingProps) {
  return (
    <>
      <SaveBar
        always={mayEdit}
        dirty={dirty}
        count={form.changes === 0 ? undefined : form.changes}
        busy={form.busy}
        saveLabel={words.save}
        onSave={() => void form.save()}
        onDiscard={form.discard}
      />
      <UnsavedGuard dirty={dirty} onSave={form.save} staysInForm={staysInForm} />
    </>
  );
}

function useFacts(lines: readonly Line[], targets: readonly TargetEntry[] | null, counts: Counts): LineFacts {
  const known = useMemo(
    () => (targets === null || targets.length === 0 ? null : new Set(targets.map(({ id }) => id))),
    [targets],
  );
  const shadowed = useMemo(() => new Map(shadowedRows(lines).map(({ id, by }) => [id, by])), [lines]);
  const rows = counts.answer?.rows ?? null;
  return useMemo(() => ({ counts: rows, shadowed, known }), [rows, shadowed, known]);
}
